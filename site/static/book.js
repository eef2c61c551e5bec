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

// A link may lead to something folded: open what it is in.
function unfold() {
  const name = decodeURIComponent(location.hash.slice(1));
  const place = name && document.getElementById(name);
  for (let box = place; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
}

// Who comes from the search is led to the first place that it marked.
function show_found() {
  const found = !location.hash && document.querySelector(".bd-article .highlighted");
  if (!found) return;
  for (let box = found; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
  found.scrollIntoView({ block: "center" });
}

window.addEventListener("load", () => { reachable(); unfold(); setTimeout(show_found, 50); });
window.addEventListener("resize", reachable);
window.addEventListener("hashchange", unfold);
