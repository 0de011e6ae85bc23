// Takes off this device what the server has acknowledged. A submission that got lost on its way
// keeps its copy: the server's own list says which forms are done.
(() => {
  "use strict";
  const done = document.querySelector("[data-done]");
  if (!done) return;
  try {
    for (const key of done.dataset.done.split(" ")) localStorage.removeItem(`draft:${key}`);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
})();
