// Runs before the first paint, so that a chosen theme never flashes in the other one.
(() => {
  try {
    const chosen = localStorage.getItem('holdfast.theme');
    if (chosen === 'light' || chosen === 'dark') {
      document.documentElement.dataset.theme = chosen;
    }
  } catch {
    // Storage can be forbidden; the theme of the system is used then.
  }
})();
