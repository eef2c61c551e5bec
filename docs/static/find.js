// The search: first the words of the glossary, each with what it means and the place that explains
// it, then places of the book with the line that matches. Its index is a script, searchindex.js,
// for a page from the disk can load a script and fetch nothing. Sphinx's page calls Search.query.
"use strict";
{
  const SHOWN = 40, BEFORE = 70, LINE = 220; // places; letters before what was found, and in all
  const HANGUL = /[\uac00-\ud7a3]/;
  const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  // A text as stems. Of "warm-up" there is "warm", "up" and "warmup", of "beam_search" that and its
  // words; a root sign is read as its name.
  const stems = new Map(), stemmer = new Stemmer();
  function stem(word) {
    if (!/^[a-z]+$/.test(word)) return word;
    if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
    return stems.get(word);
  }
  function tokens(text) {
    const found = [];
    for (const [word] of text.toLowerCase().replace(/√/g, " sqrt ").matchAll(/[\p{L}\p{N}]+(?:[-–_][\p{L}\p{N}]+)*/gu)) {
      const parts = word.split(/[-–_]/);
      found.push(...parts.map(stem));
      if (parts.length > 1) found.push(word.includes("_") ? word : stem(parts.join("")));
    }
    return found;
  }

  // What of a word must stand in a text to be marked: the stem, from its beginning; of Korean the
  // whole, anywhere.
  function beginning(word) {
    if (word === "sqrt") return "√";
    if (HANGUL.test(word)) return escaped(word);
    let made = stem(word);
    while (!word.startsWith(made)) made = made.slice(0, -1);
    return `(?<![\\p{L}\\p{N}])${escaped(made.length > 1 ? made : word)}`;
  }

  // A Korean word carries particles, and a term of two words is often written as one.
  const PARTICLE = /(?<=[\uac00-\ud7a3]{2})(은|는|이|가|을|를|의|에|도|만|와|과|로|란|이란|에서|으로|에게)$/;
  const tight = text => text.replace(/[\s-]/g, "");
  const split = text => text.toLowerCase().replace(/√/g, " sqrt ").match(/[\p{L}\p{N}_]+/gu) || [];

  // The names of a term: "vanish (gradients)" is one, "BPE" is one; and what students call it, too.
  const own_names = ([english, korean]) => `${english}, ${english.replace(/[()]/g, "")}, ${korean}`
    .toLowerCase().split(/[,()]/).map(name => name.trim()).filter(Boolean);
  const names_of = term => [...own_names(term), ...term[5]];

  // Words that ask and say nothing of what for; and Korean ones that are no term of the book.
  const ASKING = new Set(`difference explain explained example examples formula mean meaning tutorial
    understand use used using versus vs work works`.split(/\s+/));
  const KOREAN = [[/^왜$|^차이|^예제|^설명|^뜻|^무엇|^어떻게|^하는|^방법/, ""], [/^설치/, "install"], [/^윈도우?/, "windows"],
    [/^루트/, "sqrt"], [/^나[누눌눠]/, "divide"], [/^번역기/, "translator"], [/^논문/, "papers"], [/^연습/, "exercise"]];
  const plain_korean = word => (KOREAN.find(([pattern]) => pattern.test(word)) || [0, word.replace(PARTICLE, "")])[1];

  // Words of a Korean question as the book has them, in English: the longest names first.
  function in_english(words, terms) {
    const known = new Map();
    for (const term of terms) for (const name of names_of(term)) {
      if (HANGUL.test(name)) known.set(tight(name), term[0].replace(/\(.*\)/, "").trim().toLowerCase());
    }
    const found = [];
    for (let at = 0; at < words.length;) {
      let size = words.length - at, english = null;
      for (; size && !english; size--) {
        const name = words.slice(at, at + size).join("");
        english = known.get(name) || known.get(name.replace(PARTICLE, ""));
      }
      size += english ? 1 : 0;
      found.push(...(english ? split(english) : [plain_korean(words[at])].filter(Boolean)));
      at += size || 1;
    }
    return found;
  }

  // What the book has at each place, counted once: words in a heading weigh more than in its text.
  const WEIGHTS = { title: 5, bold: 3, above: 1.5, text: 1 };
  function counted(index) {
    const places = [], df = new Map();
    for (const [page, listed] of index.pages) {
      for (const [anchor, title, text, bold] of listed) {
        const first = anchor === listed[0][0];
        const place = { page, anchor, title, text, bold, first, above: first ? "" : listed[0][1], tf: new Map() };
        for (const [field, weight] of Object.entries(WEIGHTS)) {
          for (const word of tokens([place[field]].flat().join(" "))) {
            place.tf.set(word, (place.tf.get(word) || 0) + weight);
          }
        }
        for (const word of place.tf.keys()) df.set(word, (df.get(word) || 0) + 1);
        place.headed = new Set(tokens(title).filter(word => !stopwords.has(word)));
        place.size = text.length;
        places.push(place);
      }
    }
    const mean = places.reduce((sum, place) => sum + place.size, 0) / places.length;
    return { places, df, mean };
  }

  // How well a place answers: rare words count for more, a heading that is made of them the most,
  // and a place that has all of them comes before one that has a few of them often.
  function score(place, words, total, pair, explained, { mean }) {
    let made = 0, found = 0, headed = 0;
    for (const { word, rare } of words) {
      const often = HANGUL.test(word) ? place.text.split(word).length - 1 + 5 * place.title.includes(word)
        : place.tf.get(word) || 0;
      if (!often) continue;
      found += rare;
      if (place.headed.has(word)) headed += rare;
      made += rare * often / (often + 2 * (0.4 + 0.6 * place.size / mean));
    }
    const explains = explained.get(`${place.page}#${place.anchor}`) || 0;
    if (!found && !explains) return 0;
    made *= (found / total) ** 1.5;
    made += 0.5 * headed * headed / total / Math.sqrt(Math.max(2, place.headed.size));
    made += total * explains;
    if (pair) {
      made += total * 0.12 * Math.min((place.text.match(pair) || []).length, 3);
      if (place.title.search(pair) >= 0) made += total * 0.3;
      if (place.bold.some(one => one.search(pair) >= 0)) made += total * 0.25;
    }
    if (place.page.startsWith("solutions/")) return made / 4;
    if (place.page === "run") return made * 0.9;
    const chapter = /^\d\d/.exec(place.page); // a word is met first where it is introduced
    return chapter ? made * (1.15 - chapter[0] / 80) : made / 2;
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

  const phrase_of = words => new RegExp(words.map(beginning).join("[\\p{L}\\p{N}]*[^\\p{L}\\p{N}]+"), "giu");
  const sought_in = (text, words) => words.length > 0 && words.every(word => tokens(text).includes(stem(word)));

  // Terms that somebody asks for: by a whole name, or by words of one.
  function terms_of(index, typed, sought) {
    const terms = [], bare = [typed, sought].map(words => words.join(""));
    for (const one of index.terms) {
      const [english, korean, means, href, place] = one, names = names_of(one);
      const whole = names.some(name => bare.includes(tight(name)) || bare.includes(split(name).map(stem).join(""))
        || sought.map(stem).join("") === split(name).map(stem).join(""));
      if (whole || own_names(one).some(name => sought_in(name, sought))) {
        terms.push({ english, korean, means, href, place, whole });
      }
    }
    return terms.sort((a, b) => b.whole - a.whole || a.english.length - b.english.length);
  }

  // The places that explain a term whose name is among the words: how large a share of them it is.
  function explaining(index, terms, sought) {
    const found = new Map(), asked = new Set(sought.map(stem));
    for (const one of index.terms) {
      for (const name of names_of(one)) {
        const words = split(name).filter(word => !stopwords.has(word)).map(stem);
        if (!words.length || !words.every(word => asked.has(word))) continue;
        const share = new Set(words).size / asked.size;
        found.set(one[4], Math.max(found.get(one[4]) || 0, share ** 2));
      }
    }
    for (const term of terms) if (term.whole) found.set(term.place, 2);
    return found;
  }

  function find(index, query) {
    index.counted = index.counted || counted(index);
    const { places, df } = index.counted, typed = split(query);
    const telling = typed.filter(word => (word.length > 1 || HANGUL.test(word)) && !stopwords.has(word));
    const kept = telling.filter(word => !ASKING.has(word));
    let sought = [kept, telling, typed].find(words => words.length) || [];
    if (!sought.length) return { terms: [], places: [], words: [] };
    if (HANGUL.test(query)) sought = in_english(sought, index.terms);
    const terms = terms_of(index, typed, sought);
    // What is not a word of the book may be the beginning of one.
    const known = [...new Set(sought.map(stem))].flatMap(word => HANGUL.test(word) || df.has(word) ? [word]
      : [...df.keys()].filter(other => other.startsWith(word)).slice(0, 8));
    const words = known.map(word => ({ word, rare: Math.log(1 + places.length / (1 + (df.get(word) || 0))) }));
    const total = words.reduce((sum, { rare }) => sum + rare, 0);
    const pair = sought.length > 1 && phrase_of(sought), explained = explaining(index, terms, sought);
    const found = places.map(place => ({ ...place, points: score(place, words, total, pair, explained, index.counted) }))
      .sort((a, b) => b.points - a.points);
    const least = found[0].points / 10; // what has a common word alone is no answer
    return { terms: terms.slice(0, 5), places: found.filter(place => place.points > least), sought,
      words: sought.map(word => new RegExp(beginning(word), "giu")), phrase: phrase_of(sought) };
  }

  Search.query = query => {
    const { terms, places, words, phrase, sought } = find(Search._index, query);
    const either = new RegExp(words.map(word => `${word.source}[\\p{L}\\p{N}]*`).join("|"), "giu");
    // Only who follows a place that was found sees the words marked there.
    const remember = event => {
      if (event.target.closest("li.place a")) localStorage.setItem("found words", sought.join(" "));
    };
    for (const kind of ["click", "auxclick"]) Search.output.addEventListener(kind, remember);
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
    Search.status.textContent = places.length || terms.length
      ? `Found in ${places.length} ${places.length === 1 ? "place" : "places"}${most}.`
      : "Nothing in the book matches. Try one word, in the singular, in English or Korean.";
  };
}
