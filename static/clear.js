// Lets an optional answer be taken back: a chosen radio button cannot be left by itself.
document.querySelectorAll("[data-clear]").forEach((button) => {
  "use strict";
  const field = button.closest("fieldset");
  const radios = [...field.querySelectorAll("input[type=radio]")];

  const show = () => {
    button.hidden = !radios.some((radio) => radio.checked);
  };

  button.addEventListener("click", () => {
    const radio = radios.find((one) => one.checked);
    if (radio) {
      radio.checked = false;
      for (const kind of ["input", "change"]) {
        radio.dispatchEvent(new Event(kind, { bubbles: true }));
      }
    }
    show();
    radios[0].focus();
  });
  field.addEventListener("change", show);
  addEventListener("pageshow", show);
  show();
});
