// Holds a form back while the server cannot be reached: sent into nothing it would be lost with its
// page. Forms that have a place for drafts wait in draft.js, until their draft has arrived.
(() => {
  "use strict";
  const PAUSE = 2000;
  const LONGEST_PAUSE = 30000;
  const PATIENCE = 10000;

  // Whatever answers is the server; an address that a proxy shuts answers as well.
  const isReached = async (address) => {
    try {
      const reply = await fetch(address, {
        cache: "no-store",
        credentials: "omit",
        signal: AbortSignal.timeout(PATIENCE),
      });
      return reply.status < 500;
    } catch {
      return false;
    }
  };

  const pass = (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
      addEventListener("online", resolve, { once: true });
    });

  document.querySelectorAll("form[data-waits]").forEach((form) => {
    const status = form.querySelector("[data-waiting]");
    let isHeld = false;
    let isLeaving = false;

    const leave = async (button) => {
      let pause = PAUSE;
      while (!(await isReached(form.dataset.waits))) {
        status.textContent = status.dataset.waiting;
        await pass(pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      }
      // A form that brings a file leaves its page where it is.
      status.textContent = "";
      isLeaving = true;
      form.requestSubmit(button);
    };

    form.addEventListener("submit", (event) => {
      if (isLeaving) return;
      event.preventDefault();
      if (isHeld) return;
      isHeld = true;
      leave(event.submitter);
    }, true);
    // A page that comes back from the browser's memory may be sent once more.
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) isHeld = isLeaving = false;
    });
  });
})();
