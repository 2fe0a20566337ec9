// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
// What the page's checks need to know of an opened page, read from the browser.
() => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });

  const all = (selector, from) => [...(from || document).querySelectorAll(selector)];
  const seen = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const words = (element) => (element && seen(element) ? element.textContent : "(not shown)");
  const box = (element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    return {left, right, top, bottom};
  };
  const name = (element) => `<${element.localName} class="${element.getAttribute("class") || ""}"> ` +
    `'${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}'`;

  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };

  // [label, middle] of the ticks of the axes that a mark is in, in the plot's own pixels.
  const ticks = (mark, axis) => all(`.tick.${axis} text`, mark.parentElement).map((text) => {
    const {x, y, width, height} = text.getBBox();
    return [text.textContent, axis === "x" ? x + width / 2 : y + height / 2];
  });

  const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const inPlot = (element) => element.closest("svg") !== null;
  const visible = all("body *").filter(seen);

  return {
    title: document.title,
    scripts: document.scripts.length,
    ids: all("[id]").map((element) => element.id),
    links: all("a, link, img, use, image").map((element) => element.getAttribute("href") || element.getAttribute("src")),
    page: {
      inner: innerWidth,
      scroll: document.documentElement.scrollWidth,
      paper: getComputedStyle(document.body).backgroundColor,
    },
    tables: all("figure.table").map((figure) => ({
      id: figure.id,
      title: words(figure.querySelector("figcaption")),
      note: words(figure.querySelector(".note")),
      headings: all("thead th", figure).map(words),
      rows: all("tbody tr", figure).map((row) => all("td", row).map(words)),
      commands: all("pre code", figure).map(words),
    })),
    stray: all("svg g").filter(ownText).map(name),
    plots: all("figure.plot").map((figure) => ({
      id: figure.id,
      title: words(figure.querySelector(".title")),
      note: words(figure.querySelector("figcaption")),
      svgs: all("svg", figure).filter(seen).map((svg) => ({
        label: svg.getAttribute("aria-label"),
        shown: box(svg),
        width: svg.viewBox.baseVal.width,
        height: svg.viewBox.baseVal.height,
        texts: all("text", svg).map((text) => {
          const {x, y, width, height} = text.getBBox();
          return {words: text.textContent, x, y, width, height, turned: text.hasAttribute("transform")};
        }),
        marks: all("g.mark", svg).map((mark, number) => ({
          hint: mark.querySelector("title").textContent,
          paths: Object.fromEntries(["mark", "mid", "mean", "published", "needs"].map((part) =>
            [part, all(`g.${part}.n${number} path`, svg).map((path) => path.getAttribute("d"))])),
          ticks: {x: ticks(mark, "x"), y: ticks(mark, "y")},
        })),
      })),
    })),
    // A cell may be beside the window, its table's container scrolls; nothing else may.
    outside: visible.filter((element) => !element.parentElement.closest(".scroll") && !inPlot(element))
      .filter((element) => box(element).left < -0.5 || box(element).right > innerWidth + 0.5).map(name),
    cut: visible.filter((element) => element.matches("td, th, p, li, dd, dt, h1, h2, pre, summary, .scroll"))
      .filter((element) => !element.matches(".scroll") && element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).display !== "inline").map(name),
    colours: visible.filter(ownText).filter((element) => element.localName !== "title").map((element) => ({
      name: name(element),
      ink: inPlot(element) ? getComputedStyle(element).fill : getComputedStyle(element).color,
      paper: background(element),
    })),
  };
}
