// What the pages need besides the theme: no request to anywhere, from a server or from a disk.
"use strict";

// What scrolls sideways can be reached with the keyboard, whatever its width becomes.
function reachable() {
  const boxes = ".bd-article pre, .bd-article .output, .bd-article .math, .bd-article mjx-container,"
    + " .bd-article .pst-scrollable-table-container, .attn-view .stage";
  for (const box of document.querySelectorAll(boxes)) {
    const scrolls = box.scrollWidth > box.clientWidth + 1;
    if (scrolls && !box.hasAttribute("tabindex")) box.tabIndex = 0;
  }
}

// A link, or a search, may lead to something folded: open what it is in.
function unfold(place) {
  for (let box = place; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
}
const unfold_linked = () => unfold(document.getElementById(decodeURIComponent(location.hash.slice(1))));

// Who comes from the search is led to the first word that was looked for, and sees all of them. The
// search leaves its words in the browser's memory; marks are painted, the page itself stays as it is.
function show_found() {
  const words = (localStorage.getItem("found words") || "").toLowerCase().split(" ").filter(Boolean);
  const article = document.querySelector(".bd-article");
  if (!words.length || !article || document.getElementById("search-results")) return;
  localStorage.removeItem("found words");
  const found = [], walk = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, text = node.data.toLowerCase();
    if (node.parentElement.closest("script, style, svg, mjx-container")) continue;
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        found.push(range);
      }
    }
  }
  if (!found.length) return;
  if (window.Highlight) CSS.highlights.set("found", new Highlight(...found));
  if (location.hash) return;
  unfold(found[0].startContainer.parentElement);
  found[0].startContainer.parentElement.scrollIntoView({ block: "center" });
}

// The fold with what came out, and the one right below it that says what that means: both stand
// before the line that repeats what the reader said.
function folds_of(said) {
  const found = [];
  for (let node = said.previousElementSibling; node && !found.length; node = node.previousElementSibling) {
    if (node.matches(".cell")) found.push(node.querySelector("details.came-out, details.below-input"));
    else if (!node.matches(".cell-place")) break;
  }
  for (let node = said.nextElementSibling; node; node = node.nextElementSibling) {
    const says = node.matches("details") && node.querySelector("summary").textContent.trim();
    if (says === "What it says") found.push(node);
    else if (says !== "The figure in words" && !node.matches(".cell-place")) break;
  }
  return found.filter(Boolean);
}

// What a reader predicts stays in the browser, stands below what came out, and opens that.
function keep_predictions() {
  for (const box of document.querySelectorAll("input[data-predicts]")) {
    const name = box.dataset.predicts, said = document.querySelector(`[data-said="${name}"]`);
    const tell = () => {
      const answer = box.value.trim();
      said.hidden = !answer;
      said.textContent = `You said: ${answer}`;
    };
    box.value = localStorage.getItem(`prediction ${name}`) || "";
    box.addEventListener("input", () => {
      localStorage.setItem(`prediction ${name}`, box.value);
      tell();
    });
    box.addEventListener("change", () => {
      if (box.value.trim()) for (const fold of folds_of(said)) fold.open = true;
    });
    tell();
  }
}

// A question is answered by a click: what there is to say to a choice stands behind its button.
function ask_questions() {
  for (const quiz of document.querySelectorAll(".quiz")) {
    const score = quiz.querySelector(".score");
    quiz.addEventListener("click", event => {
      const button = event.target.closest("button");
      if (!button) return;
      const item = button.closest("li");
      for (const other of item.querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
      item.querySelector(".told").replaceChildren(button.nextElementSibling.content.cloneNode(true));
      const given = [...quiz.querySelectorAll("[aria-pressed=true]")];
      score.textContent = `${given.filter(one => "right" in one.dataset).length} of ${given.length} are right.`;
    });
  }
}

// A figure fills the window when somebody clicks or taps on it, and goes back where it was.
function enlarge_figures() {
  const large = document.body.appendChild(document.createElement("dialog"));
  const place = document.createElement("div"), close = document.createElement("button");
  large.id = "large";
  close.textContent = "Close";
  let shown = null;
  const open = (picture, name) => {
    const { width, height } = picture.getBoundingClientRect();
    const holder = document.createElement("div");
    holder.className = picture.closest("figure").className;
    holder.style.setProperty("--ratio", width / height);
    holder.style.setProperty("--least", `${Math.max(picture.naturalWidth || 700, width)}px`);
    place.style.height = `${height}px`;
    picture.replaceWith(place);
    holder.append(picture);
    large.replaceChildren(close, holder);
    large.setAttribute("aria-label", name);
    shown = picture;
    large.showModal();
  };
  large.addEventListener("click", () => large.close());
  large.addEventListener("close", () => {
    place.replaceWith(shown);
    large.replaceChildren();
  });
  for (const figure of document.querySelectorAll(".bd-article figure:is(.plot, .attn-diagram)")) {
    const picture = figure.querySelector("img, svg");
    const caption = figure.querySelector("figcaption .caption-text") || figure.querySelector("figcaption");
    const button = document.createElement("button"), name = `Enlarge: ${caption.textContent.trim()}`;
    button.type = "button";
    button.className = "enlarge";
    button.textContent = "⤢";
    button.title = name;
    button.setAttribute("aria-label", name);
    for (const one of [picture, button]) one.addEventListener("click", () => { if (!large.open) open(figure.querySelector("img, svg"), name); });
    figure.append(button);
  }
}

// What a word of the glossary means stands below it while one points at it, comes to it by keyboard,
// or has tapped on it. It is a link: a click, or a second tap, leads to the glossary.
function tell_terms() {
  const box = document.body.appendChild(document.createElement("div"));
  box.id = "means";
  box.role = "tooltip";
  box.hidden = true;
  let shown = null, touched = false;
  const hide = () => {
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    box.hidden = true;
  };
  const show = term => {
    hide();
    shown = term;
    term.setAttribute("aria-describedby", box.id);
    box.textContent = term.dataset.means;
    box.hidden = false;
    const lines = term.getClientRects(), line = lines[lines.length - 1];
    const room = document.documentElement.clientWidth - box.offsetWidth - 8;
    box.style.left = `${scrollX + Math.max(8, Math.min(line.left, room))}px`;
    const below = line.bottom + box.offsetHeight < innerHeight;
    box.style.top = `${scrollY + (below ? line.bottom : line.top - box.offsetHeight)}px`;
  };
  const leave = event => { if (event.relatedTarget !== box && event.relatedTarget !== shown) hide(); };
  box.addEventListener("pointerleave", leave);
  for (const term of document.querySelectorAll("a.term")) {
    term.addEventListener("pointerenter", event => { if (event.pointerType === "mouse") show(term); });
    term.addEventListener("pointerleave", event => { if (event.pointerType === "mouse") leave(event); });
    term.addEventListener("focus", () => { if (!touched) show(term); });
    term.addEventListener("blur", hide);
    term.addEventListener("click", event => {
      if (!touched || shown === term) return;
      event.preventDefault();
      show(term);
    });
  }
  document.addEventListener("pointerdown", event => {
    touched = event.pointerType !== "mouse";
    if (event.target !== shown && event.target !== box) hide();
  }, true);
  document.addEventListener("keydown", event => {
    touched = false;
    if (event.key === "Escape") hide();
  });
}

// A translator in a frame is as light or as dark as the page around it.
function tell_theme() {
  const { theme } = document.documentElement.dataset;
  for (const frame of document.querySelectorAll("iframe.translator")) frame.contentWindow.postMessage({ theme }, "*");
}
// It says how high it is.
window.addEventListener("message", event => {
  const height = event.data && event.data.height;
  for (const frame of document.querySelectorAll("iframe.translator")) {
    if (event.source === frame.contentWindow && height > 0) frame.style.height = `${Math.ceil(height)}px`;
  }
});
new MutationObserver(tell_theme).observe(document.documentElement, { attributeFilter: ["data-theme"] });

// It is a large file, and comes when somebody opens its fold.
function load_translators() {
  for (const fold of document.querySelectorAll("details.try")) {
    fold.addEventListener("toggle", () => {
      const frame = fold.querySelector("iframe[data-src]");
      if (frame && !frame.src) frame.src = frame.dataset.src;
    });
  }
}

window.addEventListener("load", () => {
  load_translators();
  tell_theme();
  for (const frame of document.querySelectorAll("iframe.translator")) frame.addEventListener("load", tell_theme);
  keep_predictions();
  ask_questions();
  enlarge_figures();
  tell_terms();
  reachable();
  unfold_linked();
  // Formulas above it take their room first.
  const formulas = window.MathJax && MathJax.startup && MathJax.startup.promise;
  Promise.resolve(formulas).then(() => { reachable(); show_found(); });
});
window.addEventListener("resize", reachable);
window.addEventListener("hashchange", unfold_linked);
