// Runs before the first paint, so that the page never flashes in the wrong scheme.
(() => {
  try {
    const theme = localStorage.getItem("standin.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's scheme then applies.
  }
})();
