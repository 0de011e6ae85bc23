// Tells the server how long each part of a page was in view: running totals, in small batches.
// Nothing waits for it, and without this script the server counts the time since opening.
(() => {
  "use strict";
  const page = document.querySelector("[data-page]");
  const form = document.querySelector("form[data-batch]");
  if (!page || !form || !("IntersectionObserver" in window)) return;

  const TICK = 1000;
  const IDLE = 60000;
  const SEND = 15000;
  const LONGEST_PAUSE = 120000;
  const CHANGES = 400;
  const LARGEST = 32000;
  const field = form.elements.namedItem("reading");
  const began = performance.now();
  const view = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    (byte % 36).toString(36),
  ).join("");
  const totals = new Map();
  const near = new Set();
  const changes = [];
  const chosen = new Map();
  let lastInput = Date.now();
  let lastTick = Date.now();
  let pause = SEND;
  let timer = 0;
  let sentChanges = 0;
  let isOver = false;

  const total = (item) => {
    if (!totals.has(item)) totals.set(item, { ms: 0, top: 1, bottom: 0, told: -1 });
    return totals.get(item);
  };

  // What is in view of an element: its share from the top, and whether it can be read.
  const look = (element) => {
    const box = element.getBoundingClientRect();
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    const height = bottom - top;
    return {
      isSeen: height > 0 && height >= Math.min(box.height * 0.5, innerHeight * 0.4),
      top: (top - box.top) / (box.height || 1),
      bottom: (bottom - box.top) / (box.height || 1),
    };
  };

  const cover = (row, seen) => {
    row.top = Math.min(row.top, seen.top);
    row.bottom = Math.max(row.bottom, seen.bottom);
  };

  const tick = () => {
    const now = Date.now();
    // After a sleeping laptop, one tick counts and the sleep does not.
    const passed = Math.min(now - lastTick, TICK * 1.5);
    lastTick = now;
    if (document.visibilityState !== "visible" || now - lastInput > IDLE) return;
    const whole = total(page.dataset.page);
    whole.ms += passed;
    const covered = look(page);
    if (covered.bottom > covered.top) cover(whole, covered);
    const seen = [];
    for (const element of near) {
      const at = look(element);
      if (at.bottom > at.top) cover(total(element.dataset.item), at);
      if (!at.isSeen) continue;
      total(element.dataset.item).ms += passed;
      seen.push(element.dataset.item);
    }
    if (seen.includes("left") && seen.includes("right")) {
      const both = total("pair");
      both.ms += passed;
      both.top = 0;
      both.bottom = 1;
    }
  };

  const device = () => {
    const side = Math.min(screen.width, screen.height);
    if (side < 600) return "phone";
    return side < 1100 && matchMedia("(pointer: coarse)").matches ? "tablet" : "desktop";
  };

  const batch = () => {
    const seen = {};
    for (const [item, row] of totals) {
      const share = Math.round(Math.max(0, Math.min(1, row.bottom - row.top)) * 100);
      const ms = Math.round(row.ms);
      if (row.told !== `${ms}/${share}`) seen[item] = [ms, share];
    }
    const body = { view, device: device(), seen, changed: changes.slice(sentChanges) };
    return { seen, changes: changes.length, text: JSON.stringify(body) };
  };

  const told = (sent) => {
    for (const [item, [ms, share]] of Object.entries(sent.seen)) {
      total(item).told = `${ms}/${share}`;
    }
    sentChanges = Math.max(sentChanges, sent.changes);
  };

  const send = async () => {
    clearTimeout(timer);
    if (isOver) return;
    timer = setTimeout(send, pause);
    const sent = batch();
    if (!Object.keys(sent.seen).length && sentChanges === sent.changes) return;
    if (sent.text.length > LARGEST) return;
    try {
      const reply = await fetch(page.dataset.reading, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-CSRFToken": form.elements.namedItem("csrfmiddlewaretoken").value,
        },
        body: sent.text,
        credentials: "same-origin",
        keepalive: true,
        redirect: "error",
      });
      if (reply.ok) {
        pause = SEND;
        told(sent);
      } else if (reply.status === 409 || reply.status === 404) {
        isOver = true;
        // Nobody reads a whole debate for a place that is gone. What was entered stays in sight.
        if (page.dataset.back && (await reply.text()) === "lost") location.assign(page.dataset.back);
      } else {
        pause = Math.min(pause * 2, LONGEST_PAUSE);
        if (reply.status === 403) await window.tokenRenew(form);
      }
    } catch {
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  };

  const remember = (input) => {
    if (!input.name || input.type === "hidden") return;
    const isText = input.tagName === "TEXTAREA";
    const isEmptied = input.type === "radio" && !input.checked;
    const value = isText ? String(input.value.length > 0) : isEmptied ? "" : input.value;
    const former = chosen.get(input.name);
    const isReplaced = isText ? former === "true" : former !== undefined && former !== value;
    if (isReplaced && changes.length < CHANGES) {
      // What somebody wrote and took back is theirs: a text's words are left out.
      const kept = isText ? "" : former;
      changes.push([changes.length + 1, input.name, kept, Math.round(performance.now() - began)]);
    }
    chosen.set(input.name, value);
  };

  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) near.add(entry.target);
      else near.delete(entry.target);
    }
  });
  document.querySelectorAll("[data-item]").forEach((element) => observer.observe(element));
  for (const input of form.elements) {
    if (input.checked || (input.tagName === "TEXTAREA" && input.value)) {
      chosen.set(input.name, input.tagName === "TEXTAREA" ? "true" : input.value);
    }
  }
  form.addEventListener("change", (event) => remember(event.target));
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll"]) {
    addEventListener(kind, () => (lastInput = Date.now()), { passive: true, capture: true });
  }
  setInterval(tick, TICK);
  timer = setTimeout(send, SEND);
  document.addEventListener("visibilitychange", () => {
    tick();
    if (document.visibilityState === "hidden") send();
    else lastInput = Date.now();
  });
  addEventListener("pagehide", send);
  // The form carries what is not told yet, so that leaving the page loses nothing. Any other form
  // of the page that submits on its own leaves the batch to the next one.
  form.addEventListener("formdata", (event) => {
    tick();
    const text = batch().text;
    if (event.formData.has("reading")) {
      event.formData.set("reading", text.length > LARGEST ? "" : text);
    }
  });
  form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) isOver = true;
  });
  field.value = "";
})();
