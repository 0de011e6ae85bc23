// Takes off this device what the server has acknowledged. A submission that got lost on its way
// keeps its copy: the server's own list says which forms are done. After a withdrawal nothing stays.
(() => {
  "use strict";
  const done = document.querySelector("[data-done]");
  const all = document.querySelector("[data-forget-all]");
  try {
    if (all) {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith("draft:"));
      keys.forEach((key) => localStorage.removeItem(key));
    }
    if (!done) return;
    for (const key of done.dataset.done.split(" ")) localStorage.removeItem(`draft:${key}`);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
})();
