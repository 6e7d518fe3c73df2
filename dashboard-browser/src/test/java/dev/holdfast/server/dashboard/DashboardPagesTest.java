package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.dashboard.DashboardFiles;
import dev.holdfast.server.DemoServer;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("in a browser, with the data of a demo")
class DashboardPagesTest {
    private static final Path PICTURES = Path.of("target/dashboard");
    /** What a page is asked about that cannot be shown without. */
    private static final Map<String, String> QUERIES = Map.of(
            "lock", "?namespace=billing&name=invoice-run",
            "stack", "?name=shop&environment=prod",
            "resource", "?id=i-0a61f3c2orders");
    /** What must be there before a page is looked at; elsewhere its heading. */
    private static final Map<String, String> READY =
            Map.of("overview", "ol.events li", "locks", ".row", "lock", "ol.events li");

    /** A window of 1280 pixels, zoomed in to 200 %. */
    private static final int ZOOMED_WIDTH = 640;

    /** What people do not notice. */
    private static Chromium chromium;

    private static HoldfastServer server;

    @BeforeAll
    static void start() {
        chromium = Chromium.shared();
        server = DemoServer.start(
                ServerSetup.of(Settings.load(List.of("--server.port=0"), Map.of(), Path.of("no-such-directory")))
                        .inMemory());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static void open(Page page, String path) {
        page.navigate(url(path));
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator("main")).not().containsText("Looking…");
    }

    /** The others are tried in all looks by tests of their own. */
    private static final List<String> WITHOUT_OWN_TEST = List.of("overview", "locks", "lock");

    /** All pages that have an address, by their names. */
    private static Stream<String> pages() {
        return Stream.concat(Stream.of("overview"), DashboardFiles.PAGES.stream());
    }

    private static String path(String name) {
        return name.equals("overview") ? "/" : "/ui/" + name + QUERIES.getOrDefault(name, "");
    }

    /** Opens a page and waits until it shows what it is for. */
    private static void open(String name, Page page) {
        open(page, path(name));
        page.locator(READY.getOrDefault(name, "main h1")).first().waitFor();
    }

    @TestFactory
    @DisplayName(
            "the first pages, light and dark, wide and narrow: no violation of WCAG, nothing wider than the window")
    Stream<DynamicTest> accessible() {
        return Look.each(WITHOUT_OWN_TEST.stream(), DashboardPagesTest::check);
    }

    private static void check(String name, Look look) {
        Page page = look.page(chromium);
        open(name, page);
        Chromium.assertStill(page);
        look.picture(page, name);
        look.assertAccessible(page);
        page.context().close();
        assertThat(chromium.complaints()).isEmpty();
    }

    @TestFactory
    @DisplayName("each page can be used at 200 %: as wide as the window, and what can be pressed lies within it")
    Stream<DynamicTest> zoomed() {
        return pages().map(name -> DynamicTest.dynamicTest(name, () -> {
            Page page = chromium.zoomed(ZOOMED_WIDTH, 450);
            open(name, page);
            page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + "-zoomed.png")));
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(ZOOMED_WIDTH);
            assertThat(page.evaluate("[...document.querySelectorAll('main button, main input, main select, main a')]"
                            + ".filter(it => it.checkVisibility() && !it.closest('[data-wide], .scroller, .wide'))"
                            + ".filter(it => it.getBoundingClientRect().left >= innerWidth)"
                            + ".map(it => it.textContent)"))
                    .as("what lies outside of the window")
                    .isEqualTo(List.of());
            page.context().close();
        }));
    }

    @Test
    @DisplayName("the overview says in a sentence how it stands, counts, and tells what has just happened")
    void overview() {
        Page page = chromium.wide();
        open(page, "/");
        assertThat(page.locator("h1.sentence")).containsText("held");
        assertThat(page.locator("h1.sentence")).containsText("Memory answers in");
        assertThat(page.locator(".tile")).hasCount(4);
        assertThat(page.locator(".look")).containsText("looks abandoned");
        int before = ((Number) page.evaluate("document.querySelectorAll('ol.events li').length")).intValue();
        assertThat(before).isPositive();
        String newest = page.locator("ol.events li").first().textContent();
        page.waitForCondition(
                () -> !page.locator("ol.events li").first().textContent().equals(newest));
        page.context().close();
    }

    @Test
    @DisplayName("the list is filtered by its address, and filters go into the address")
    void filters() {
        Page page = chromium.wide();
        open(page, "/ui/locks?namespace=billing");
        assertThat(page.locator(".row").first()).containsText("billing:invoice-run");
        assertThat(page.locator(".row")).hasCount(1);
        page.locator("select[aria-label=Namespace]").selectOption("");
        page.locator("hf-locks input[type=search]").fill("schema");
        assertThat(page.locator(".row")).hasCount(1);
        assertThat(page.locator(".row")).containsText("catalog:schema-migration");
        assertThat(page.url()).endsWith("/ui/locks?q=schema");
        page.locator("hf-locks input[type=search]").fill("no such thing");
        assertThat(page.locator(".empty")).containsText("No lock matches");
        page.context().close();
    }

    @Test
    @DisplayName("everything can be done with keys: find, select, open, look up the keys")
    void keyboard() {
        Page page = chromium.wide();
        open(page, "/");
        page.keyboard().press("/");
        page.keyboard().type("invoice");
        page.keyboard().press("Enter");
        assertThat(page.locator(".row")).containsText("invoice-run");
        page.keyboard().press("j");
        assertThat(page.locator(".preview")).containsText("Lock billing:invoice-run is");
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("preview.png")));
        page.keyboard().press("Enter");
        assertThat(page.locator(".title h1")).hasText("billing:invoice-run");
        page.keyboard().press("?");
        assertThat(page.locator("hf-keys dialog")).isVisible();
        page.keyboard().press("Escape");
        assertThat(page.locator("hf-keys dialog")).isHidden();
        page.keyboard().press("t");
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.keyboard().press("p");
        assertThat(page.locator(".live.paused")).containsText("paused");
        page.keyboard().press("p");
        assertThat(page.locator(".live.live")).hasText("live");
        page.keyboard().press("g");
        page.keyboard().press("o");
        assertThat(page.locator(".tile")).hasCount(4);
        page.goBack();
        assertThat(page.locator(".title h1")).hasText("billing:invoice-run");
        page.context().close();
    }

    @Test
    @DisplayName("a lock begins with the words of holdfast explain, and can be carried away")
    void oneLock() {
        Page page = chromium.wide();
        open(page, "/ui/lock?namespace=catalog&name=schema-migration");
        assertThat(page.locator("p.sentence"))
                .containsText(
                        "Lock catalog:schema-migration is held by 'alice@laptop-7', for \"adding an index by hand\"");
        assertThat(page.locator("p.sentence")).containsText("It looks abandoned: it has never sent a heartbeat.");
        page.locator(".menu summary").click();
        page.getByText("curl", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.evaluate("navigator.clipboard.readText()").toString())
                .isEqualTo("curl '" + url("/v2/lock?namespace=catalog&name=schema-migration'"));
        assertThat(page.locator(".said")).hasText("Copied");
        page.context().close();
    }
}
