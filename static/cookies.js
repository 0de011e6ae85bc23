// Says before anything is typed that a browser blocks the one cookie that the forms need.
(() => {
  "use strict";
  const notice = document.querySelector("[data-no-cookies]");
  if (!notice) return;

  // The page has just set its cookie: where it is missing, it was refused.
  if (!navigator.cookieEnabled || !document.cookie.includes("csrftoken=")) notice.hidden = false;
})();
