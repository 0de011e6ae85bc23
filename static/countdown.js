// Shows how much of a trial's time is left, and does at its end what the study has set. The server
// decides by its own clock; this page only tells.
(() => {
  "use strict";
  const box = document.querySelector("[data-ends-in]");
  if (!box) return;

  const left = box.querySelector(".countdown-left");
  const say = box.querySelector("[data-countdown-say]");
  const over = box.querySelector("[data-countdown-over]");
  const end = document.querySelector("form[data-timeout] button[value=timeout]");
  // The server counted when it answered; a long page has taken a while to arrive since.
  const [navigation] = performance.getEntriesByType("navigation");
  const arriving = navigation ? performance.now() - navigation.responseStart : 0;
  const ends = Date.now() + Number(box.dataset.endsIn) - arriving;
  const HIDDEN_WAIT = 1500;
  // Said aloud only now and then: a clock that speaks each second cannot be read beside.
  const SAID = [600, 300, 120, 60, 30, 10];
  let spoken = SAID.filter((seconds) => seconds * 1000 >= Number(box.dataset.endsIn)).length;
  let isOver = false;

  const finish = () => {
    isOver = true;
    box.classList.add("is-over");
    over.hidden = false;
    over.setAttribute("role", "alert");
    // Whoever is writing in another tab comes first: the server takes what is on its way at zero.
    if (end) setTimeout(() => end.form.requestSubmit(end), document.hidden ? HIDDEN_WAIT : 0);
  };

  const announce = (seconds) => {
    while (spoken < SAID.length && seconds <= SAID[spoken]) {
      const isLong = SAID[spoken] >= 120;
      const words = isLong ? say.dataset.minutes : say.dataset.seconds;
      const number = isLong ? SAID[spoken] / 60 : SAID[spoken];
      say.textContent = words.replace("{number}", String(number));
      spoken += 1;
    }
  };

  const tick = () => {
    const seconds = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    const padded = String(seconds % 60).padStart(2, "0");
    left.textContent = `${Math.floor(seconds / 60)}:${padded}`;
    box.classList.toggle("is-short", seconds <= 30);
    announce(seconds);
    if (!seconds && !isOver) finish();
  };

  tick();
  setInterval(tick, 500);
  document.addEventListener("visibilitychange", tick);
})();
