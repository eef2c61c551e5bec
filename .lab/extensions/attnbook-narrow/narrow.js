// JupyterLab gives the contents 250 px of any window, which leaves a line of three words beside
// them in one of 400, and keeps that as a share: three quarters of the next, wide window. So the
// contents close where a window is narrow, a click opens them, and they come back with the width.
// Written as a bundler would write it: so few lines are read and changed without one.
{
  const CLOSED = "attnbook: closed by a narrow window"; // its value: what was open
  const style = '.jp-SideArea[data-side="left"] { max-width: max(40vw, 250px) }';

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

  const plugin = { id: "attnbook-narrow:plugin", autoStart: true, activate };
  const module = { __esModule: true, default: plugin };
  const container = { init: () => {}, get: async () => () => module };
  (window._JUPYTERLAB ??= {})["attnbook-narrow"] = container;
}
