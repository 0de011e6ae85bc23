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
