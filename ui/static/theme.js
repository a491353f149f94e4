// Runs before the first paint, so that a page in the chosen scheme never flashes in the other one.
(() => {
  try {
    const theme = localStorage.getItem("standin.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's scheme then holds.
  }
})();
