package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real browser, the one of the machine; without one the tests are skipped. Belongs to one thread. */
final class Chromium {
    /** The one without windows first: it draws the same for less than half of the processor time. */
    private static final List<String> PLACES = List.of(
            "/usr/lib/chromium/chromium-headless-shell",
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/bin/google-chrome");

    private static final double PATIENCE_MILLIS = 20_000;
    /** More than this is seen as a jump. */
    private static final double MOST_SHIFT = 0.02;
    /** What moves, and how much; but for lists of what happens, which grow at the top while one looks. */
    private static final String SHIFTS = """
            window.shifts = [];
            new PerformanceObserver(list => list.getEntries().forEach(entry => {
              const moved = (entry.sources ?? []).map(it => it.node?.parentElement ?? document.body)
                .filter(it => !it.closest('ol.events'));
              if (!entry.hadRecentInput && moved.length > 0) {
                shifts.push([entry.value, ...moved.map(it => it.tagName + '.' + it.className)]);
              }
            })).observe({type: 'layout-shift', buffered: true});
            """;

    /**
     * The list below its field for addresses is a page of its own, half a second of processor time for each window, and nobody sees
     * it here. Of two such lists of features the last one counts, so those that Playwright does without follow.
     */
    private static final String WITHOUT = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
            + "AvoidUnnecessaryBeforeUnloadCheckSync,BoundaryEventDispatchTracksNodeRemoval,DestroyProfileOnBrowserClose,"
            + "DialMediaRouteProvider,GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,PaintHolding,"
            + "ThirdPartyStoragePartitioning,BlockOriginHeaderModificationOnRedirect,Translate,OptimizationHints";

    /** Scripts are told exactly how much memory they use, and can give back what they can. */
    private static final List<String> FLAGS =
            List.of("--no-sandbox", "--disable-gpu", WITHOUT, "--enable-precise-memory-info", "--js-flags=--expose-gc");

    private static Chromium running;

    private final Browser browser;
    /** What the pages complained about: failures of scripts, refusals of the content policy. */
    private final List<String> complaints = new ArrayList<>();

    private Chromium(Path program) {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS); // a busy machine draws late
        browser = Playwright.create(
                        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")))
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(FLAGS));
    }

    /** The one browser of all these tests: to start one takes long, and readers share nothing. It ends with this process. */
    static Chromium shared() {
        if (running == null) {
            Path program = PLACES.stream()
                    .map(Path::of)
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElse(null);
            assumeTrue(program != null, "the dashboard is not tried: there is no Chromium on this machine");
            running = new Chromium(program);
        }
        return running;
    }

    Page wide() {
        return page(1280, 900, ColorScheme.LIGHT);
    }

    /** A new reader with a window of this size. */
    Page page(int width, int height, ColorScheme scheme) {
        return page(width, height, 1, scheme);
    }

    /** A new reader who has zoomed in to 200 %, so that so many pixels are left. */
    Page zoomed(int width, int height) {
        return page(width, height, 2, ColorScheme.LIGHT);
    }

    private Page page(int width, int height, double scale, ColorScheme scheme) {
        BrowserContext reader = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setDeviceScaleFactor(scale)
                .setColorScheme(scheme)
                .setPermissions(List.of("clipboard-read", "clipboard-write")));
        Page page = reader.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onPageError(complaints::add);
        page.onConsoleMessage(message -> {
            // A server that is gone, or refuses, is a part of some tests, and the browser tells each such request.
            if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
                complaints.add(message.text());
            }
        });
        return page;
    }

    /** From the next page on, what moves is noted for {@link #assertStill}. */
    static void watchShifts(Page page) {
        page.addInitScript(SHIFTS);
    }

    /** Nothing has jumped since the page was opened. */
    static void assertStill(Page page) {
        Object moved = page.evaluate("shifts.map(it => it.join(' '))");
        double sum = ((Number) page.evaluate("shifts.reduce((sum, it) => sum + it[0], 0)")).doubleValue();
        assertThat(sum).as("how much %s moved: %s", page.url(), moved).isLessThan(MOST_SHIFT);
    }

    List<String> complaints() {
        return complaints;
    }
}
