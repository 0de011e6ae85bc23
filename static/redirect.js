// Takes somebody who is through back to their panel after a few seconds, unless they stay. The page
// exists only once the server has stored everything; without this script its link does the same.
(() => {
  "use strict";
  const link = document.querySelector("[data-redirect]");
  const box = document.querySelector("[data-countdown]");
  if (!link || !box) return;

  // Who comes back to this page wants to see it.
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation && navigation.type !== "navigate") return;

  const shown = box.querySelector("[data-seconds]");
  let left = Number(link.dataset.redirect);
  let timer = 0;

  const stop = () => {
    clearInterval(timer);
    box.hidden = true;
  };

  const tick = () => {
    left -= 1;
    shown.textContent = String(left);
    if (left > 0) return;
    stop();
    location.assign(link.href);
  };

  shown.textContent = String(left);
  box.hidden = false;
  timer = setInterval(tick, 1000);
  box.querySelector("[data-stay]").addEventListener("click", stop);
  link.addEventListener("click", stop);
  addEventListener("pagehide", stop);
})();
