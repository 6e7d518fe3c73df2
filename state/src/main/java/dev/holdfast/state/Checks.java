package dev.holdfast.state;

/** Bounds of what callers ask for. */
final class Checks {
    private Checks() {}

    static void limit(int limit) {
        if (limit < 1 || limit > StateManager.MAX_PAGE) {
            throw new IllegalArgumentException("limit '" + limit + "' must be between 1 and " + StateManager.MAX_PAGE);
        }
    }

    static void version(String version) {
        if (!VersionNames.isName(version)) {
            String shown = version.length() <= 80 ? version : version.substring(0, 77) + "...";
            throw new IllegalArgumentException("'" + shown.replaceAll("\\p{Cntrl}", "?")
                    + "' is not a version; they look like 20261116T110512.123456Z-k3f9ab12");
        }
    }
}
