// The search: first the words of the glossary, each with what it means and the place that explains
// it, then places of the book with the line that matches. Its index is a script, searchindex.js,
// for a page from the disk can load a script and fetch nothing. Sphinx's page calls Search.query.
"use strict";
{
  const SHOWN = 40, BEFORE = 70, LINE = 220; // places; letters before what was found, and in all
  const HANGUL = /[\uac00-\ud7a3]/;
  const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // What of a word must stand in a text: the stem, from its beginning; of Korean the whole, anywhere.
  function stem(word) {
    if (HANGUL.test(word) || !/^[a-z]+$/.test(word)) return word;
    let made = new Stemmer().stemWord(word);
    while (!word.startsWith(made)) made = made.slice(0, -1);
    return made.length > 1 ? made : word;
  }
  const begins = word => HANGUL.test(word) ? escaped(word) : `(?<![\\p{L}\\p{N}])${escaped(word)}`;

  // A Korean word carries particles, and a term of two words is often written as one.
  const PARTICLE = /(?<=[\uac00-\ud7a3]{2})(은|는|이|가|을|를|의|에|도|만|와|과|로|란|이란|에서|으로|에게)$/;
  const tight = text => text.replace(/\s/g, "");

  function count(text, pattern) { return (text.match(pattern) || []).length; }

  // How well a place answers: it explains the words, or is about them, or has them often.
  function score(place, words, phrase, explained) {
    const { page, anchor, title, text, bold } = place;
    const all = `${place.above} ${title} ${text}`;
    const has = words.filter(word => all.search(word) >= 0).length;
    if (!has) return [0, 0];
    let made = 4 * Math.min(count(text, phrase), 6);
    for (const word of words) made += Math.min(count(text, word), 4);
    if (explained.has(`${page}#${anchor}`)) made += 100;
    if (bold.some(one => one.search(phrase) >= 0)) made += 40;
    if (title.search(phrase) >= 0) made += 30 + 30 * title.match(phrase)[0].length / title.length;
    else if (words.every(word => title.search(word) >= 0)) made += 20;
    if (place.above.search(phrase) >= 0) made += 15;
    if (page.startsWith("solutions/")) made /= 4;
    else if (!/^\d\d/.test(page)) made /= 2;
    return [has, made];
  }

  function marked(text, pattern) {
    const line = document.createElement("p");
    let last = 0;
    for (const found of text.matchAll(pattern)) {
      line.append(text.slice(last, found.index));
      line.appendChild(document.createElement("mark")).textContent = found[0];
      last = found.index + found[0].length;
    }
    line.append(text.slice(last));
    line.className = "context";
    return line;
  }

  function line_of({ text, bold }, words, phrase) {
    const told = bold.find(one => one.search(phrase) >= 0);
    const places = [told ? text.indexOf(told) : -1, text.search(phrase), ...words.map(w => text.search(w)), 0];
    const at = places.find(place => place >= 0);
    let from = Math.max(0, at - BEFORE);
    if (from) from = text.indexOf(" ", from) + 1;
    if (from > at) from = at;
    const rest = text.slice(from, from + LINE);
    const whole = from + LINE >= text.length;
    return `${from ? "… " : ""}${whole ? rest : `${rest.slice(0, rest.lastIndexOf(" "))} …`}`;
  }

  function show(list, kind, href, name, ...more) {
    const item = list.appendChild(document.createElement("li"));
    item.className = kind;
    const link = item.appendChild(document.createElement("a"));
    link.href = href;
    link.textContent = name;
    item.append(...more);
  }

  function patterns(sought) {
    const stems = sought.map(word => begins(stem(word)));
    const between = "[\\p{L}\\p{N}]*[^\\p{L}\\p{N}]+";
    return { words: stems.map(one => new RegExp(one, "giu")), phrase: new RegExp(stems.join(between), "giu") };
  }

  function terms_of(index, typed, sought) {
    const { words } = patterns(sought), terms = [];
    for (const [english, korean, means, href, place] of index.terms) {
      const names = `${english}, ${english.replace(/[()]/g, "")}, ${korean}`.toLowerCase().split(/[,()]/)
        .map(name => name.trim()).filter(Boolean);
      const whole = names.some(name => [typed, sought].some(one => tight(name) === one.join("")));
      const found = names.some(name => words.every(word => name.search(word) >= 0));
      if (whole || found) terms.push({ english, korean, means, href, place, whole });
    }
    return terms.sort((a, b) => b.whole - a.whole || a.english.length - b.english.length);
  }

  function find(index, query) {
    const everything = JSON.stringify(index).toLowerCase();
    const typed = splitQuery(query.toLowerCase().trim());
    let sought = typed.filter(word => !stopwords.has(word) || typed.length === 1)
      .map(word => everything.includes(word) ? word : word.replace(PARTICLE, ""));
    if (!sought.length) return { terms: [], places: [], words: [] };
    const terms = terms_of(index, typed, sought);
    const best = terms.filter(term => term.whole);
    // The book is in English: of a Korean term it is the English one that stands everywhere.
    if (best.length && HANGUL.test(query)) sought = splitQuery(best[0].english.toLowerCase());
    const { words, phrase } = patterns(sought);
    const explained = new Set((best.length ? best : terms).map(term => term.place));
    const places = [];
    for (const [page, listed] of index.pages) {
      for (const [anchor, title, text, bold] of listed) {
        const first = anchor === listed[0][0];
        const place = { page, anchor, title, text, bold, first, above: first ? "" : listed[0][1] };
        const [has, points] = score(place, words, phrase, explained);
        if (has) places.push({ ...place, has, points });
      }
    }
    const most = Math.max(0, ...places.map(place => place.has));
    const full = places.filter(place => place.has === most);
    full.sort((a, b) => b.points - a.points);
    return { terms: terms.slice(0, 5), places: full, words, phrase, sought };
  }

  Search.query = query => {
    const { terms, places, words, phrase, sought } = find(Search._index, query);
    const either = new RegExp(words.map(word => `${word.source}[\\p{L}\\p{N}]*`).join("|"), "giu");
    if (sought) localStorage.setItem("sphinx_highlight_terms", sought.join(" "));
    const titles = new Map(Search._index.pages.map(([page, listed]) => [page, listed[0][1]]));
    for (const { english, korean, means, href, place } of terms) {
      const where = titles.get(place.split("#")[0]);
      show(Search.output, "term", href, english, ` · ${korean} · ${where}`, marked(means, either));
    }
    for (const place of places.slice(0, SHOWN)) {
      const href = `${place.page}.html${place.first ? "" : `#${place.anchor}`}`;
      const name = [place.above, place.title].filter(Boolean).join(" › ");
      show(Search.output, "place", href, name, marked(line_of(place, words, phrase), either));
    }
    Search.stopPulse();
    Search.title.textContent = "Search results";
    const most = places.length > SHOWN ? `, of which the best ${SHOWN} stand here` : "";
    Search.status.textContent = places.length
      ? `Found in ${places.length} ${places.length === 1 ? "place" : "places"}${most}.`
      : "Nothing in the book matches. Try one word, in the singular, in English or Korean.";
  };
}
