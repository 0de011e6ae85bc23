// Keeps what is entered: on the server while a form is being filled in (where it has a place for
// drafts), and on this device until the server has it. Without this script "Save and continue
// later" keeps the same.
(() => {
  "use strict";
  const form = document.querySelector("form[data-keep]");
  if (!form) return;

  const status = document.querySelector("[data-draft-status]");
  const key = `draft:${form.dataset.keep}`;
  const PAUSE = 800;
  const LONGEST_PAUSE = 30000;
  // A browser refuses to keep a request alive with more than 64 KiB, all of a page's taken together.
  const KEPT_ALIVE = 24000;
  const UNKEPT = ["csrfmiddlewaretoken", "reading", "kept", "action", "mark"];
  let pause = PAUSE;
  let timer = 0;
  let isChanged = false;
  let isSending = false;
  let isOver = false;
  let waiting = null;
  let isLeaving = false;
  let isDeleted = false;

  const say = (word) => {
    if (status) status.textContent = status.dataset[word] ?? "";
  };

  // A browser may forbid storage; then the server alone keeps what is entered.
  const local = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };

  const values = () =>
    Object.fromEntries([...new FormData(form)].filter(([name]) => !UNKEPT.includes(name)));

  // What the server keeps of this page, as far as this page knows. A page on which nothing was entered
  // since must not take back what was entered elsewhere: in another tab, or on another device.
  const written = (entered) => JSON.stringify(entered).replaceAll("\\r\\n", "\\n");
  const served = () => {
    const inputs = [...form.elements].filter(({ name }) => name && !UNKEPT.includes(name));
    const chosen = inputs.filter((one) => one.type !== "radio" || one.defaultChecked);
    return Object.fromEntries(
      chosen.map((one) => [one.name, one.type === "radio" ? one.value : one.defaultValue]),
    );
  };
  let known = "unkept" in form.dataset ? "" : written(served());
  const isUnsaved = () => !form.dataset.draft || written(values()) !== known;

  // What is kept here and there is compared by the server's clock: this device's may be wrong. The
  // page was served some time before this line runs, so the estimate is early until a draft arrives.
  let clock = Number(form.dataset.servedAt || Date.now()) - Date.now();

  const keep = () => {
    if (isDeleted || !isUnsaved()) return;
    const row = JSON.stringify({ at: Date.now() + clock, values: values() });
    local((store) => store.setItem(key, row));
  };

  const forget = () => local((store) => store.removeItem(key));

  const fill = (name, value) => {
    const found = form.elements.namedItem(name);
    if (!found) return;
    if (found instanceof RadioNodeList) {
      for (const radio of found) radio.checked = radio.value === value;
    } else if (found.type === "radio") {
      found.checked = found.value === value;
    } else {
      found.value = value;
    }
  };

  // What stands there may be damaged, or another page's.
  const read = () => {
    const found = local((store) => JSON.parse(store.getItem(key)));
    return found?.values && Number.isFinite(found.at) ? found : null;
  };

  // What this device still holds never reached the server, unless the server has something newer.
  const restore = () => {
    const kept = read();
    if (!kept) return;
    const now = values();
    const isNewer = kept.at >= Number(form.dataset.keptAt || 0);
    let isFilled = false;
    for (const [name, value] of Object.entries(kept.values)) {
      if (value && value !== now[name] && (isNewer || !now[name])) {
        fill(name, value);
        isFilled = true;
      }
    }
    if (!isFilled) {
      forget();
      return;
    }
    isChanged = true;
    say("restored");
    plan();
  };

  const plan = () => {
    clearTimeout(timer);
    if (!isOver && form.dataset.draft) timer = setTimeout(save, pause);
  };

  const post = (entered, isKept) => {
    // Built by hand: the batch of the page goes with the submission and not with a draft.
    const body = new URLSearchParams({ ...entered, reading: "draft", kept: isKept ? "yes" : "" });
    body.set("csrfmiddlewaretoken", form.elements.namedItem("csrfmiddlewaretoken").value);
    return fetch(form.dataset.draft, {
      method: "POST",
      body,
      credentials: "same-origin",
      keepalive: String(body).length < KEPT_ALIVE,
      redirect: "error",
    });
  };

  // Whatever is sent again after these, the answer would be the same.
  const isRefusal = (code) => code >= 400 && code < 500 && ![403, 408, 425, 429].includes(code);

  const stop = async (reply) => {
    isOver = true;
    if (reply.status === 404) {
      // Somebody who had everything deleted leaves nothing on this device either.
      isDeleted = true;
      forget();
    }
    const word = await reply.text();
    say(status?.dataset[word] ? word : "gone");
  };

  const send = async () => {
    const entered = values();
    const isKept = !isUnsaved();
    let reply = await post(entered, isKept);
    if (reply.status === 403 && (await window.tokenRenew(form))) reply = await post(entered, isKept);
    // Without cookies the form's own page says what is the matter, and keeps what is entered.
    if (reply.status === 403 && waiting) return;
    if (isRefusal(reply.status)) {
      await stop(reply);
    } else if (!reply.ok) {
      throw new Error(`status ${reply.status}`);
    } else {
      pause = PAUSE;
      known = written(entered);
      clock = Math.max(clock, Number(reply.headers.get("Kept-At")) - Date.now());
      if (isChanged) keep();
      else forget();
      if (!waiting && !isKept) say("saved");
    }
  };

  const save = async () => {
    if (!isChanged || isSending || isOver || !form.dataset.draft) return;
    let isFailed = false;
    isChanged = false;
    isSending = true;
    try {
      await send();
    } catch {
      isChanged = true;
      isFailed = true;
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      say(waiting ? "waiting" : "failed");
    } finally {
      isSending = false;
    }
    if (waiting && !isChanged) leave();
    else if (waiting && !isFailed) save();
    else if (isChanged) plan();
  };

  const leave = () => {
    const button = waiting;
    waiting = null;
    isLeaving = true;
    isOver = true;
    clearTimeout(timer);
    keep();
    form.elements.namedItem("kept").value = isUnsaved() ? "" : "yes";
    channel?.postMessage("sent");
    form.requestSubmit(button);
  };

  // A form sent to a server that does not answer would be lost with its page, also where its time
  // ran out. So the draft goes first, and the form follows once that has arrived.
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (isLeaving) return;
    keep();
    if (isOver || !form.dataset.draft) return;
    event.preventDefault();
    if (waiting) return;
    waiting = button ?? form.querySelector("button[value=submit]");
    isChanged = true;
    pause = PAUSE;
    save();
  }, true);

  form.addEventListener("input", () => {
    isChanged = true;
    keep();
    plan();
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

  const channel = "BroadcastChannel" in window ? new BroadcastChannel(key) : null;
  channel?.addEventListener("message", ({ data }) => {
    if (data === "open") channel.postMessage("here");
    if (data === "open" || data === "here") say("twice");
    if (data === "sent") {
      isChanged = true;
      setTimeout(save, PAUSE);
    }
  });
  channel?.postMessage("open");
  restore();
})();
