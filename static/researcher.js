// Copy buttons appear only where the browser lets a page copy.
document.querySelectorAll("[data-copy]").forEach((button) => {
  if (!navigator.clipboard) {
    return;
  }
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
});
// A part of a page that is loaded anew leaves people where they are in it: who types is not
// disturbed, what was typed stays, and the focus goes to what stands in the old one's place.
(() => {
  const TYPED = "input:not([type=hidden]), textarea, select";
  const name = (one) => [one.tagName, one.href ?? one.form?.action, one.textContent.trim()].join("\n");
  let typed = [];
  let focused = null;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const active = document.activeElement;
    if (!detail.target.contains(active)) {
      focused = null;
    } else if (active.matches(TYPED)) {
      detail.shouldSwap = false;
      return;
    } else {
      focused = name(active);
    }
    typed = [...detail.target.querySelectorAll("input[id], textarea[id]")]
      .filter((field) => field.value !== field.defaultValue)
      .map((field) => [field.id, field.value]);
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    typed.forEach(([id, value]) => {
      const field = document.getElementById(id);
      if (field) field.value = value;
    });
    if (focused !== null) {
      [...target.querySelectorAll("a, button, summary")].find((one) => name(one) === focused)?.focus();
    }
    typed = [];
    focused = null;
  });
})();
