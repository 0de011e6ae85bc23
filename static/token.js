// A form's token may have expired, or its cookie is gone: its page brings a new one.
window.tokenRenew = async (form) => {
  "use strict";
  const NAME = "csrfmiddlewaretoken";
  const reply = await fetch(location.href, { credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const token = page.querySelector(`input[name=${NAME}]`);
  if (!reply.ok || !token) return false;
  form.elements.namedItem(NAME).value = token.value;
  return true;
};
