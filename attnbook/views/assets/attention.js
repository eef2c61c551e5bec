function draw(data, { stage, svg, says, controls }) {
  // Long sentences stand in two columns, where there is room for any number of words.
  const tall = Math.max(data.src.length, data.tgt.length) > 12, gap = tall ? 240 : 110;
  const words = [data.src, data.tgt], buttons = [[], []];
  stage.classList.toggle("tall", tall);
  const rows = ["source words", "target words"].map(name =>
    make("div", { class: "row", role: "group", "aria-label": name }, stage));
  stage.insertBefore(svg, rows[1]);
  const weight = (side, here, there) => side ? data.weights[here][there] : data.weights[there][here];
  let links = [], pinned = null, gold = false;

  function curve(j, t, attrs) {
    const middle = b => tall ? b.offsetTop + b.offsetHeight / 2 - rows[0].offsetTop
      : b.offsetLeft + b.offsetWidth / 2 - rows[0].offsetLeft;
    const a = middle(buttons[0][j]), b = middle(buttons[1][t]), near = gap * 0.45, far = gap * 0.55;
    const points = [[a, 0], [a, far], [b, near], [b, gap]];
    const [p, q, r, s] = points.map(([u, v]) => tall ? `${v},${u}` : `${u},${v}`);
    return make("path", { d: `M${p}C${q} ${r} ${s}`, ...attrs }, svg);
  }
  function layout() {
    const side = tall ? "offsetHeight" : "offsetWidth";
    const long = Math.max(rows[0][side], rows[1][side]);
    if (!long) return;  // not on show yet; the observer calls again
    svg.replaceChildren();
    size(svg, tall ? gap : long, tall ? long : gap);
    links = [];
    data.weights.forEach((row, t) => row.forEach((w, j) => {
      if (w < 0.02) return;
      links.push({ j, t, w, path: curve(j, t, { class: "link", "stroke-width": 1 + 6 * w }) });
    }));
    if (gold) data.gold.forEach(([j, t, sure]) => curve(j, t, { class: sure ? "gold sure" : "gold" }));
    show(pinned);
  }
  function show(choice) {
    const [side, here] = choice || [-1, -1];
    links.forEach(({ j, t, w, path }) => {
      const hot = side === 0 ? j === here : t === here;
      path.classList.toggle("hot", choice !== null && hot);
      path.style.opacity = choice && !hot ? 0.06 : Math.max(0.12, w);
    });
    buttons.forEach((row, s) => row.forEach((button, i) => {
      const other = choice && s !== side, w = other ? weight(side, here, i) : 0;
      button.classList.toggle("on", s === side && i === here);
      button.style.background = `rgba(213,94,0,${(0.6 * w).toFixed(3)})`;
      button.lastChild.textContent = other ? w.toFixed(2) : "";
    }));
    if (!choice) { says.textContent = data.hint; return; }
    const ranked = words[1 - side].map((word, i) => [weight(side, here, i), word])
      .sort((a, b) => b[0] - a[0]).slice(0, 4).filter(pair => pair[0] >= 0.005)
      .map(([w, word]) => `${quote(word)} ${w.toFixed(2)}`).join(", ");
    const verb = side ? "looks at" : "is looked at by";
    says.textContent = `${quote(words[side][here])} ${verb}: ${ranked || "nothing"}`;
  }
  function focus(side, i) {
    const row = buttons[side], at = Math.min(Math.max(i, 0), row.length - 1);
    buttons.flat().forEach(button => { button.tabIndex = -1; });
    row[at].tabIndex = 0;
    show(pinned = [side, at]);  // also where it was in focus already, or a tap focuses nothing
    row[at].focus();
  }
  words.forEach((row, side) => row.forEach((word, i) => {
    const button = make("button", { type: "button", tabindex: side && !i ? 0 : -1 }, rows[side], word);
    make("small", {}, button);
    const choose = () => show([side, i]);
    button.addEventListener("pointerenter", choose);
    button.addEventListener("focus", () => { pinned = [side, i]; choose(); });
    button.addEventListener("click", () => focus(side, i));
    button.addEventListener("keydown", event => {
      const [back, on, first, second] = (tall ? "Up Down Left Right" : "Left Right Up Down").split(" ");
      const to = { ["Arrow" + back]: [side, i - 1], ["Arrow" + on]: [side, i + 1], Home: [side, 0],
        End: [side, row.length - 1], ["Arrow" + first]: [0, i], ["Arrow" + second]: [1, i] }[event.key];
      if (event.key === "Escape") { pinned = null; show(null); }
      if (to) { event.preventDefault(); event.stopPropagation(); focus(...to); }
    });
    buttons[side].push(button);
  }));
  stage.addEventListener("pointerleave", () => show(pinned));
  if (data.gold.length) {
    const label = make("label", { class: "check" });
    const box = make("input", { type: "checkbox" }, label);
    label.append("gold links (long dashes: sure; dots: possible)");
    box.addEventListener("change", () => { gold = box.checked; layout(); });
    controls.append(label);
  }
  new ResizeObserver(layout).observe(stage);
  layout();
}
