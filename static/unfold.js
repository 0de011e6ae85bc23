// Lets a debate appear turn by turn, at the pace the study has set, counted from its opening by the
// server's clock: a reload shows what was already out. It runs before the page is drawn, so that
// nothing is seen too early; without script the whole debate is shown, and the page says so.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("unfolds");

  const begin = () => {
    const notice = document.querySelector("[data-unfold]");
    if (!notice) {
      root.classList.remove("unfolds");
      return;
    }
    const pace = Number(notice.dataset.unfold) * 1000;
    const opened = Date.now() - Number(notice.dataset.elapsed);
    const say = document.querySelector("[data-unfold-say]");
    const parts = [...document.querySelectorAll(".debate-layout [data-turn]")];
    const last = Math.max(...parts.map((part) => Number(part.dataset.turn)));
    let shown = 0;
    notice.textContent = notice.dataset.unfolding;

    const tick = () => {
      const until = Math.min(last, Math.floor((Date.now() - opened) / pace) + 1);
      if (until > shown) {
        for (const part of parts) {
          if (Number(part.dataset.turn) <= until) part.classList.add("is-out");
        }
        if (shown) say.textContent = say.dataset.turn.replace("{number}", String(until));
        shown = until;
      }
      if (shown < last) setTimeout(tick, 250);
      else root.classList.remove("unfolds");
    };
    tick();
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
