// Run in a page: what a test wants to know of it, in one answer.
() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const name = node => `${node.tagName.toLowerCase()}.${node.className}`.slice(0, 60);
  const ids = all("[id]").map(node => node.id);
  const room = document.documentElement.clientWidth;
  return {
    links: all("a[href]").map(a => a.href).filter(href => href.startsWith("file:")),
    ids,
    twice: ids.filter((id, n) => ids.indexOf(id) !== n),
    broken: all("img").filter(img => !img.complete || !img.naturalWidth).map(img => img.src),
    mute: all(".bd-article img").filter(img => !img.alt.trim()).map(img => img.src),
    files: all(".bd-article img").map(img => img.alt).filter(alt => /\.(png|svg)|_images/.test(alt)),
    elsewhere: all("script[src], link[rel=stylesheet], iframe, img").map(e => e.src || e.href)
      .filter(url => url && !/^(file|data):/.test(url)),
    modules: all("script[type=module]").length,
    formulas: all("mjx-container").length,
    raw: all("mjx-merror").length,
    stills: all(".attn-view img.still").length,
    wide: document.documentElement.scrollWidth - room,
    sticking: all(".bd-article *").filter(node => node.getBoundingClientRect().right > room + 1
      && !node.closest("pre, .output, .math, mjx-container, .pst-scrollable-table-container, .stage"))
      .map(name).slice(0, 5),
  };
}
