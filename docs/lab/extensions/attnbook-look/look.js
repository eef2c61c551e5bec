// How the book looks in JupyterLab, in a window of every width. Written as a bundler would write it:
// so few lines are read and changed without one.
{
  const style = `
    /* A line of text is as long as one reads well; code and figures take what they need. */
    .jp-RenderedMarkdown :is(p, ul, ol, td, blockquote) { max-width: 46em }
    .jp-RenderedMarkdown mjx-container[display="true"] { overflow: auto hidden }

    /* The three dots of a folded cell stay in sight: what is cut off is its first line. */
    .jp-Placeholder, .jp-Placeholder-content { min-width: 0 }
    .jp-PlaceholderText { min-width: 0; text-overflow: ellipsis }
    .jp-Placeholder-content .jp-MoreHorizIcon { flex: none }

    .jp-SideArea[data-side="left"] { max-width: max(40vw, 250px) }
    .jp-OutputArea-output img { max-width: max(100%, 480px) } /* rather scrolled than too small */
    .came-out { padding-left: var(--jp-code-padding) }

    /* The colors of verdicts are for paper; in the dark they are lighter, as on the web pages. */
    [data-jp-theme-light="false"] [style*="color:#767676"] { color: #b0b0b0 !important }
    [data-jp-theme-light="false"] [style*="color:#00684c"] { color: #4fd0a8 !important }
    [data-jp-theme-light="false"] [style*="color:#b04a00"] { color: #ffa466 !important }

    /* In a small window the contents are narrower than JupyterLab makes them, and a figure begins
       where the number of its cell stands; a click there does not fold it, as it would elsewhere. */
    @media (max-width: 1100px) {
      body { --jp-sidebar-min-width: 200px }
      .jp-OutputArea-child:has(> .jp-RenderedImage, .came-out > img) > .jp-OutputPrompt {
        display: none;
      }
      .jp-OutputArea:has(> * > .jp-RenderedImage, .came-out > img) > .jp-OutputArea-promptOverlay {
        display: none;
      }
      .jp-RenderedHTMLCommon .came-out:has(> img) > :not(img) {
        margin-left: var(--jp-cell-prompt-width);
      }
    }`;

  // JupyterLab gives the contents their width in any window, which leaves a line of three words
  // beside them in one of 400 px, and keeps that as a share: three quarters of the next, wide
  // window. So the contents close where a window is narrow, a click opens them, and they come back
  // with the width.
  const CLOSED = "attnbook: closed by a narrow window"; // its value: what was open

  const activate = ({ shell, restored }) => {
    document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
    const narrow = window.matchMedia("(max-width: 760px)");
    const arrange = () => {
      const closed = localStorage.getItem(CLOSED);
      if (narrow.matches && !shell.leftCollapsed) {
        const open = [...shell.widgets("left")].find((widget) => widget.isVisible);
        localStorage.setItem(CLOSED, open?.id ?? "");
        shell.collapseLeft();
      } else if (!narrow.matches && closed !== null) {
        localStorage.removeItem(CLOSED);
        shell.activateById(closed);
      }
    };
    narrow.addEventListener("change", arrange);
    restored.then(arrange);
  };

  const plugin = { id: "attnbook-look:plugin", autoStart: true, activate };
  const module = { __esModule: true, default: plugin };
  const container = { init: () => {}, get: async () => () => module };
  (window._JUPYTERLAB ??= {})["attnbook-look"] = container;
}
