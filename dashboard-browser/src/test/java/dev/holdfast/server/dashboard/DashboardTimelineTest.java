package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import dev.holdfast.model.EventType;
import dev.holdfast.server.HoldfastServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("in a browser, the timeline")
class DashboardTimelineTest {
    private static final Path PICTURES = Path.of("target/dashboard");
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    /** More than are read. */
    private static final int MANY = 6_500;

    private static final int LOCKS = 55;

    private static Chromium chromium;
    private HoldfastServer server;
    private Page page;

    @BeforeAll
    static void start() {
        chromium = Chromium.shared();
    }

    /** Anew for each: what is told by how long ago it was must not grow older. */
    @BeforeEach
    void serve() {
        SeededHistory past = new SeededHistory();
        past.hold("hours-ago", "old", minutes(180), minutes(10), Duration.ZERO, EventType.RELEASED);
        past.end("across", "long-runner", minutes(20), minutes(90), EventType.EXPIRED);
        past.hold("busy", "first", minutes(30), minutes(20), Duration.ZERO, EventType.RELEASED);
        past.hold("busy", "second", minutes(10), minutes(18), minutes(4), EventType.RELEASED);
        past.hold("deploy-" + HOSTILE, HOSTILE, minutes(6), minutes(2), Duration.ZERO, EventType.FORCED);
        past.gaveUp("busy", "impatient", minutes(12), minutes(5));
        server = past.serve();
        new LockRequests(server.port()).acquire("jobs", "now", "worker-7", "invoices of March");
    }

    private static Duration minutes(long count) {
        return Duration.ofMinutes(count);
    }

    @AfterAll
    static void stop() {}

    @AfterEach
    void shut() {
        if (page != null) {
            page.context().close();
        }
        server.close();
        assertThat(chromium.complaints()).isEmpty();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private void open(String path) {
        page = chromium.wide();
        open(path, page);
    }

    private void open(String path, Page page) {
        page.navigate(url(path));
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence")).not().hasText("Looking…");
    }

    private Locator lane(String name) {
        return page.locator("hf-lane")
                .filter(new Locator.FilterOptions()
                        .setHas(page.locator(".label .key", new Page.LocatorOptions().setHasText(name))));
    }

    /** Drags over a part of the plot, told as shares of its width. */
    private void drag(double from, double to) {
        BoundingBox plot = page.locator(".axis svg").boundingBox();
        double y = page.locator(".lanes").boundingBox().y + 28;
        page.mouse().move(plot.x + plot.width * from, y);
        page.mouse().down();
        page.mouse().move(plot.x + plot.width * (from + to) / 2, y);
        page.mouse().move(plot.x + plot.width * to, y);
        assertThat(page.locator(".brush")).isVisible();
        page.mouse().up();
    }

    @TestFactory
    @DisplayName("has no violation of WCAG, with its table, is not wider than the window, and does not move")
    Stream<DynamicTest> accessible() {
        return Look.each(Stream.of("timeline"), this::check);
    }

    private void check(String name, Look look) {
        page = look.page(chromium);
        open("/ui/timeline", page);
        page.locator("hf-lane rect").first().waitFor();
        Chromium.assertStill(page);
        look.picture(page, name);
        page.getByText("The same as a table").click();
        page.locator("table.same td").first().waitFor();
        look.assertAccessible(page);
        page.context().close();
        page = null;
    }

    @Test
    @DisplayName("has a lane for each lock, the hottest first, with how each hold ended; what began before is there")
    void lanes() {
        open("/ui/timeline");
        assertThat(page.locator("hf-lane .key"))
                .hasText(new String[] {"jobs:busy", "jobs:across", "deploy:deploy-" + HOSTILE, "jobs:now"});
        assertThat(page.locator("h1.sentence"))
                .containsText("4 locks in use in the last hour. The busiest, jobs:across");
        assertThat(page.locator("h1.sentence")).containsText("the longest wait was 5m");
        assertThat(lane("busy").locator("rect.released")).hasCount(2);
        assertThat(lane("busy").locator("rect.gave-up")).hasCount(1);
        assertThat(lane("busy").locator("line")).hasCount(1);
        assertThat(lane("across").locator("rect.expired")).hasCount(1);
        assertThat(lane("deploy-").locator("rect.forced")).hasCount(1);
        assertThat(lane("jobs:now").locator("rect.held")).hasCount(1);
        assertThat(page.locator("main img")).hasCount(0);
        page.getByText("5 min", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.locator("hf-lane .key")).hasText(new String[] {"jobs:now"});
        assertThat(page).hasURL(url("/ui/timeline?span=5m"));
        page.getByText("6 h", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(lane("hours-ago").locator("rect.released")).hasCount(1);
        assertThat(page.locator("hf-lane")).hasCount(5);
        page.goBack();
        assertThat(page.locator("hf-lane")).hasCount(1);
        page.getByText("The same as a table").click();
        assertThat(page.locator("table.same tbody tr")).hasCount(1);
        assertThat(page.locator("table.same tbody tr")).containsText("worker-7");
        assertThat(page.locator("table.same tbody tr")).containsText("held now");
        assertThat(page.locator("table.same tbody tr")).containsText("invoices of March");
    }

    @Test
    @DisplayName("dragging looks closer, as often as wanted; Escape and the button go back; the address has the window")
    void brush() {
        open("/ui/timeline?span=1h");
        assertThat(page.locator("hf-lane")).hasCount(4);
        drag(0.80, 0.95);
        assertThat(page).hasURL(Pattern.compile(".*/ui/timeline\\?from=.+&to=.+"));
        assertThat(page.locator("h1.sentence")).containsText("between");
        assertThat(page.locator("hf-lane .key")).hasText(new String[] {"deploy:deploy-" + HOSTILE, "jobs:busy"});
        String address = page.url();
        drag(0.5, 0.9);
        assertThat(page.locator("hf-lane .key")).hasText(new String[] {"deploy:deploy-" + HOSTILE});
        page.keyboard().press("Escape");
        assertThat(page.locator("hf-lane")).hasCount(2);
        page.locator(".filters button kbd").click();
        assertThat(page).hasURL(url("/ui/timeline?span=1h"));
        assertThat(page.locator("hf-lane")).hasCount(4);
        page.navigate(address); // on its own, from the server
        assertThat(page.locator("hf-lane .key")).hasText(new String[] {"deploy:deploy-" + HOSTILE, "jobs:busy"});
        page.keyboard().press("Escape");
        assertThat(page.locator("hf-lane")).hasCount(4);
        BoundingBox plot = page.locator(".lanes").boundingBox();
        page.mouse().move(plot.x + plot.width / 2, plot.y + 28);
        page.mouse().down();
        page.mouse().move(plot.x, 0);
        page.mouse().up(); // outside of the plot
        page.mouse().move(plot.x + plot.width * 0.7, plot.y + 28);
        page.mouse().move(plot.x + plot.width * 0.8, plot.y + 28);
        page.evaluate("document.querySelector('hf-timeline').updateComplete");
        assertThat(page.locator(".brush")).hasCount(0);
    }

    @Test
    @DisplayName("a hold that went on after the window is drawn to its edge, and told so")
    void beyond() {
        open("/ui/timeline?from="
                + page("new Date(Date.now() - 24 * 60e3).toISOString()") + "&to="
                + page("new Date(Date.now() - 22 * 60e3).toISOString()"));
        assertThat(lane("busy").locator("rect.released"))
                .hasAttribute("aria-label", Pattern.compile("second, given back, 18m.*"));
        assertThat(lane("busy")).hasCount(1);
    }

    private String page(String script) {
        page = chromium.wide();
        String value = (String) page.evaluate(script);
        page.context().close();
        return value;
    }

    @Test
    @DisplayName("pointing at a hold shows its facts and holds everything still; a click opens the lock")
    void pointing() {
        open("/ui/timeline");
        lane("deploy-").locator("rect").hover();
        Locator tip = page.locator(".tip");
        assertThat(tip).containsText(HOSTILE);
        assertThat(tip).containsText("ended by force by anna");
        assertThat(tip).containsText("Held2m");
        assertThat(tip).containsText("was deleted");
        assertThat(tip.locator("dd").last()).hasText("8");
        String shift = shift();
        page.evaluate("new Promise(done => setTimeout(done, 1500))");
        assertThat(shift()).as("held still").isEqualTo(shift);
        page.mouse().move(5, 5);
        assertThat(tip).hasCount(0);
        page.waitForCondition(() -> !shift().equals(shift));
        lane("deploy-").locator("rect").click();
        assertThat(page.locator(".title h1")).hasText("deploy:deploy-" + HOSTILE);
    }

    private String shift() {
        return (String) page.evaluate("document.querySelector('.lanes').style.getPropertyValue('--shift')");
    }

    @Test
    @DisplayName("what happens now is drawn as it happens; lanes keep their place")
    void live() {
        try (HoldfastServer other = new SeededHistory()
                .hold("calm", "w", minutes(2), minutes(1), Duration.ZERO, EventType.RELEASED)
                .serve()) {
            LockRequests locks = new LockRequests(other.port());
            page = chromium.wide();
            page.navigate("http://127.0.0.1:" + other.port() + "/ui/timeline?span=5m");
            assertThat(page.locator("hf-lane")).hasCount(1);
            assertThat(page.locator(".live.live")).hasText("live");
            String lease = locks.acquire("jobs", "fresh", "worker-1", "");
            assertThat(lane("fresh").locator("rect.held")).hasCount(1);
            assertThat(page.locator("hf-lane .key")).hasText(new String[] {"jobs:calm", "jobs:fresh"});
            locks.release("jobs", "fresh", lease);
            assertThat(lane("fresh").locator("rect.released")).hasCount(1);
            assertThat(lane("fresh").locator("rect.held")).hasCount(0);
            page.context().close();
            page = null;
        }
    }

    @Test
    @DisplayName("with keys only: go there, from lane to lane and from hold to hold, look closer, back, and open")
    void keyboard() {
        open("/");
        page.keyboard().press("g");
        page.keyboard().press("t");
        assertThat(page.locator("hf-lane")).hasCount(4);
        page.getByText("24 h", new Page.GetByTextOptions().setExact(true)).focus();
        page.keyboard().press("Tab");
        assertThat(page.locator("hf-lane .label").first()).isFocused();
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".tip")).containsText("first");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".tip")).containsText("second");
        assertThat(page.locator(".tip")).containsText("waited 4m");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".tip")).containsText("impatient stopped waiting");
        page.keyboard().press("ArrowDown");
        assertThat(page.locator(".tip")).containsText("long-runner");
        page.keyboard().press("+");
        assertThat(page.locator("h1.sentence")).containsText("between");
        page.keyboard().press("Escape");
        assertThat(page.locator("h1.sentence")).containsText("in the last hour");
        page.locator("[tabindex='0']").and(page.locator(".lanes *")).focus();
        page.keyboard().press("Home");
        page.keyboard().press("ArrowUp");
        page.keyboard().press("End");
        page.keyboard().press("Enter");
        assertThat(page.locator(".title h1")).hasText("jobs:busy");
    }

    @Test
    @DisplayName("with more than can be read, the newest are shown, since when is said, and it stays fluid")
    void many() {
        SeededHistory past = new SeededHistory();
        for (int i = MANY; i > 0; i--) {
            past.end(
                    "job-" + i % LOCKS,
                    "worker-" + i % 9,
                    Duration.ofMillis(i * 500L),
                    Duration.ofSeconds(20),
                    EventType.RELEASED);
        }
        try (HoldfastServer busy = past.serve()) {
            page = chromium.wide();
            page.addInitScript("window.longest = 0; new PerformanceObserver(list => list.getEntries().forEach(entry =>"
                    + " window.longest = Math.max(window.longest, entry.duration))).observe({type: 'longtask'})");
            page.navigate("http://127.0.0.1:" + busy.port() + "/ui/timeline");
            assertThat(page.locator(".bounds")).containsText("Not complete: the last 5,000 events, since");
            assertThat(page.locator("hf-lane")).hasCount(40);
            page.getByText("Show more").click();
            assertThat(page.locator("hf-lane")).hasCount(LOCKS);
            double first = ((Number) page.evaluate("window.longest")).doubleValue();
            page.evaluate("window.longest = 0");
            String shift = shift();
            page.waitForCondition(() -> !shift().equals(shift));
            new LockRequests(busy.port()).acquire("jobs", "brand-new", "fresh", "");
            assertThat(lane("brand-new").locator("rect.held")).hasCount(1);
            System.out.println("Longest task with 5 000 holds: " + first + " ms; then live: "
                    + page.evaluate("window.longest") + " ms");
            page.getByText("15 min", new Page.GetByTextOptions().setExact(true)).click();
            assertThat(page.locator(".bounds")).hasCount(0);
            page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("timeline-many.png")));
            page.context().close();
            page = null;
        }
    }

    @Test
    @DisplayName("a call that fails is told, not drawn as nothing, and can be tried again")
    void failing() {
        page = chromium.wide();
        page.route("**/v2/history?event**", DashboardHistoryTest::refused);
        page.navigate(url("/ui/timeline"));
        assertThat(page.locator(".problem")).containsText("The history cannot be read. The store does not answer.");
        assertThat(page.locator(".empty")).hasCount(0);
        page.unroute("**/v2/history?event**");
        page.getByText("Try again").click();
        assertThat(page.locator("hf-lane")).hasCount(4);
        assertThat(page.locator(".problem")).hasCount(0);
    }

    @Test
    @DisplayName("where nothing was held, the command that changes that is shown")
    void empty() {
        try (HoldfastServer fresh = new SeededHistory().serve()) {
            page = chromium.wide();
            page.navigate("http://127.0.0.1:" + fresh.port() + "/ui/timeline");
            assertThat(page.locator(".empty")).containsText("No lock was held");
            assertThat(page.locator(".empty code")).containsText("holdfast exec");
            page.context().close();
            page = null;
        }
    }
}
