// Stores a mark (this turn supports or contradicts that report) without leaving the page. Without
// this script the buttons send the whole form, which keeps everything as well.
(() => {
  "use strict";
  const list = document.querySelector("[data-marks]");
  const form = document.getElementById("answers");
  if (!list || !form) return;

  const status = document.querySelector("[data-marks-status]");
  const say = (key) => {
    status.textContent = status.dataset[key];
  };

  // What is listed is what is stored: the buttons follow the list.
  const press = () => {
    const stored = new Set([...list.querySelectorAll("[data-mark]")].map((li) => li.dataset.mark));
    document.querySelectorAll(".turn .mark").forEach((button) => {
      button.setAttribute("aria-pressed", String(stored.has(button.value)));
    });
  };

  const post = (mark) =>
    fetch(list.dataset.marks, {
      method: "POST",
      body: new URLSearchParams({
        mark,
        csrfmiddlewaretoken: form.elements.namedItem("csrfmiddlewaretoken").value,
      }),
      credentials: "same-origin",
      redirect: "error",
    });

  const store = async (mark) => {
    let reply = await post(mark);
    if (reply.status === 403 && (await window.tokenRenew(form))) reply = await post(mark);
    if (reply.status === 404 || reply.status === 409) {
      const word = await reply.text();
      say(status.dataset[word] ? word : "gone");
      return;
    }
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    list.innerHTML = await reply.text();
    press();
    say(mark.endsWith(":none") ? "removed" : "saved");
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=mark]");
    if (!button) return;
    event.preventDefault();
    const isPressed = button.getAttribute("aria-pressed") === "true";
    const [address, side] = button.value.split(":");
    store(isPressed ? `${address}:${side}:none` : button.value).catch(() => say("failed"));
  });
  press();
})();
