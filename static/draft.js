// Keeps what is entered on the server while a form is being filled in. Without this script the form
// works as well: "Save and continue later" keeps the same.
(() => {
  "use strict";
  const form = document.querySelector("form[data-draft]");
  if (!form) return;

  const status = document.querySelector("[data-draft-status]");
  const PAUSE = 800;
  const LONGEST_PAUSE = 30000;
  let pause = PAUSE;
  let timer = 0;
  let isChanged = false;
  let isSending = false;
  let isOver = false;

  const say = (key) => {
    if (status) status.textContent = status.dataset[key] ?? "";
  };

  const plan = () => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(save, pause);
  };

  const send = async () => {
    const reply = await fetch(form.dataset.draft, {
      method: "POST",
      body: new FormData(form),
      credentials: "same-origin",
      keepalive: true,
      redirect: "error",
    });
    if (reply.status === 409) {
      isOver = true;
      say("late");
    } else if (!reply.ok) {
      throw new Error(`status ${reply.status}`);
    } else {
      pause = PAUSE;
      say("saved");
    }
  };

  const save = async () => {
    if (!isChanged || isSending || isOver) return;
    isChanged = false;
    isSending = true;
    try {
      await send();
    } catch {
      isChanged = true;
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      say("failed");
    } finally {
      isSending = false;
      if (isChanged) plan();
    }
  };

  form.addEventListener("input", () => {
    isChanged = true;
    plan();
  });
  form.addEventListener("submit", () => {
    isOver = true;
    clearTimeout(timer);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  addEventListener("pagehide", save);
  addEventListener("online", save);
  // A page that comes back from the browser's memory may be older than what the server knows.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
})();
