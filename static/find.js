// Search within the debate: counts the hits, marks them, and steps through them. The browser's own
// search works as well, and is all there is without this script.
(() => {
  "use strict";
  const debate = document.querySelector("[data-find-in]");
  const box = debate && debate.querySelector("[data-find]");
  if (!box) return;

  const LIMIT = 2000;
  const PARTS = ".reading, .question, .parties dd, .raw";
  const input = box.querySelector("input");
  const count = box.querySelector("[role=status]");
  const marks = "highlights" in CSS ? { all: new Highlight(), at: new Highlight() } : null;
  let hits = [];
  let at = -1;
  let timer = 0;

  // Letters as they are typed on any keyboard: case and accents aside, line ends as spaces. Each
  // character stays one, so that a place in the folded text is a place in the text.
  const fold = (text) =>
    text.replace(/[\s\u0080-\uffff]|[A-Z]+/g, (one) => {
      if (!one.trim()) return " ";
      const plain = one.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      return plain.length === one.length ? plain : one;
    });

  // What is not out yet, or lies folded beside what is shown anyway, is not searched.
  const isSearched = (element) =>
    !element.closest(".unfolds [data-turn]:not(.is-out), details:not([open]) > .raw");

  // Each block's text as one string, with the text nodes it is made of.
  const blocks = () =>
    [...debate.querySelectorAll(PARTS)].filter(isSearched).map((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let text = "";
      while (walker.nextNode()) {
        nodes.push({ node: walker.currentNode, start: text.length });
        text += walker.currentNode.data;
      }
      return { nodes, text: fold(text) };
    });

  const point = (nodes, offset, isEnd) => {
    let place = nodes[0];
    for (const one of nodes) {
      if (isEnd ? one.start >= offset : one.start > offset) break;
      place = one;
    }
    return [place.node, Math.min(offset - place.start, place.node.data.length)];
  };

  const search = (wanted) => {
    const found = [];
    for (const { nodes, text } of blocks()) {
      let from = text.indexOf(wanted);
      while (from >= 0 && found.length < LIMIT) {
        const range = new Range();
        range.setStart(...point(nodes, from, false));
        range.setEnd(...point(nodes, from + wanted.length, true));
        found.push(range);
        from = text.indexOf(wanted, from + wanted.length);
      }
    }
    return found;
  };

  const say = () => {
    if (!input.value.trim()) count.textContent = "";
    else if (!hits.length) count.textContent = count.dataset.none;
    else {
      const words = count.dataset.some.replace("{at}", String(at + 1));
      count.textContent = words.replace("{all}", String(hits.length));
    }
  };

  // A turn may be longer than the window: what counts is the line of the hit.
  const reveal = (range) => {
    const { top, height } = range.getBoundingClientRect();
    if (height) scrollBy({ top: top + height / 2 - innerHeight / 2, behavior: "instant" });
  };

  const show = () => {
    if (marks) {
      marks.at.clear();
      if (at >= 0) marks.at.add(hits[at]);
    }
    say();
    if (at < 0) return;
    const element = hits[at].startContainer.parentElement;
    for (let one = element; one; one = one.parentElement) {
      if (one.tagName === "DETAILS") one.open = true;
    }
    element.scrollIntoView({ block: "center" });
    reveal(hits[at]);
    // A part that was never drawn has its true height only now.
    requestAnimationFrame(() => hits[at] && reveal(hits[at]));
    if (!marks) getSelection().setBaseAndExtent(
      hits[at].startContainer, hits[at].startOffset, hits[at].endContainer, hits[at].endOffset,
    );
  };

  const run = () => {
    const wanted = fold(input.value.trim()).replace(/ +/g, " ");
    hits = wanted ? search(wanted) : [];
    at = hits.length ? 0 : -1;
    if (marks) {
      marks.all.clear();
      hits.forEach((range) => marks.all.add(range));
    }
    show();
  };

  const step = (by) => {
    if (!hits.length) return;
    at = (at + by + hits.length) % hits.length;
    show();
  };

  if (marks) {
    CSS.highlights.set("found", marks.all);
    CSS.highlights.set("found-at", marks.at);
  }
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(run, 200);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(timer);
      if (input.value.trim() && !hits.length) run();
      else step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      input.value = "";
      run();
    }
  });
  box.querySelector("[data-find-back]").addEventListener("click", () => step(-1));
  box.querySelector("[data-find-next]").addEventListener("click", () => step(1));
  box.hidden = false;
})();
