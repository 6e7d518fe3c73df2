package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.holdfast.model.EventType;
import dev.holdfast.server.HoldfastServer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("in a browser, the history")
class DashboardHistoryTest {
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    /** More than two pages of rows. */
    private static final int HOLDS = 130;

    private static Chromium chromium;
    private static HoldfastServer server;
    private Page page;

    @BeforeAll
    static void start() {
        chromium = Chromium.shared();
        SeededHistory past = new SeededHistory();
        Duration second = Duration.ofSeconds(1);
        past.hold("=1+1", "=cmd|'/C calc'!A0", Duration.ofDays(3), second, second, EventType.EXPIRED);
        past.hold("deploy-" + HOSTILE, HOSTILE, Duration.ofDays(2), second, second, EventType.LOST);
        for (int i = HOLDS; i > 0; i--) {
            past.hold("job-" + i % 4, "worker-" + i % 10, Duration.ofMinutes(i), second, second, EventType.RELEASED);
        }
        past.hold("job-9", "ci-runner", Duration.ofSeconds(30), second, Duration.ofSeconds(7), EventType.FORCED);
        server = past.serve();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void shut() {
        if (page != null) {
            page.context().close();
        }
        assertThat(chromium.complaints()).isEmpty();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private void open(String path) {
        page = chromium.wide();
        open(path, page);
    }

    private static void open(String path, Page page) {
        page.navigate(url(path));
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence")).not().hasText("Looking…");
    }

    private Locator rows() {
        return page.locator(".log tbody");
    }

    private LockRequests locks() {
        return new LockRequests(server.port());
    }

    private void choose(String kind) {
        page.locator(".kinds .chip").getByText(kind).click();
    }

    @TestFactory
    @DisplayName("has no violation of WCAG, opened and closed, is not wider than the window, and does not move")
    Stream<DynamicTest> accessible() {
        return Look.each(Stream.of("history"), this::check);
    }

    private void check(String name, Look look) {
        page = look.page(chromium);
        open("/ui/history?to=2999-01-01T00:00:00Z", page);
        rows().first().waitFor();
        Chromium.assertStill(page);
        look.picture(page, name);
        rows().first().locator("button.opens").click();
        page.locator(".menu summary").click();
        look.assertAccessible(page);
        page.context().close();
        page = null;
    }

    @Test
    @DisplayName(
            "is filtered with a click or by typing; each filter is in the address, and the address alone shows the same")
    void filters() {
        open("/ui/history");
        assertThat(page.locator("h1.sentence")).containsText("1 ended by force");
        choose("Forced");
        assertThat(rows()).hasCount(1);
        choose("Lost");
        assertThat(rows()).hasCount(2);
        assertThat(page).hasURL(url("/ui/history?event=forced%2Clost"));
        page.locator("input[data-field=owner]").fill("ci-*");
        assertThat(rows()).hasCount(1);
        assertThat(rows().first()).containsText("Ended by force");
        assertThat(rows().first()).containsText("jobs:job-9");
        assertThat(rows().first()).containsText("anna");
        assertThat(rows().first()).containsText("held 1s");
        assertThat(rows().first()).containsText("ci-runner was deleted");
        String address = page.url();
        assertThat(address).contains("owner=ci-*");
        page.locator("input[data-field=actor]").fill("nobody");
        assertThat(page.locator(".empty")).containsText("No event matches");
        page.navigate(address);
        assertThat(rows()).hasCount(1);
        assertThat(page.locator("input[data-field=owner]")).hasValue("ci-*");
        page.getByText("Clear").click();
        assertThat(rows()).hasCount(100);
        page.locator("input[aria-label=Namespace]").fill("deploy");
        page.keyboard().press("Enter");
        assertThat(rows().first()).containsText("deploy:deploy-");
        page.locator("input[aria-label=Namespace]").fill("");
        page.locator("input[data-field=prefix]").fill("job-3");
        assertThat(rows().first()).containsText("jobs:job-3");
        assertThat(rows()).hasCount(64);
    }

    @Test
    @DisplayName("is searched in a time, which is the reader's")
    void times() {
        open("/ui/history?event=lost,expired,forced");
        assertThat(rows()).hasCount(3);
        page.locator("select[aria-label=Time]").selectOption("1h");
        assertThat(rows()).hasCount(1);
        assertThat(page.url()).endsWith("since=1h");
        page.locator("select[aria-label=Time]").selectOption("own");
        String local = (String)
                page.evaluate(
                        "(() => { const d = new Date(Date.now() - 60 * 3600e3); return new Date(d - d.getTimezoneOffset() * 60e3).toISOString().slice(0, 19); })()");
        page.locator("input[type=datetime-local]").first().fill(local);
        assertThat(rows()).hasCount(2);
        assertThat(page.url())
                .contains("from=" + page.evaluate("local => encodeURIComponent(new Date(local).toISOString())", local));
        page.locator("input[type=datetime-local]").nth(1).fill(local);
        assertThat(page.locator(".empty")).isVisible();
    }

    @Test
    @DisplayName("older events come when asked for, each once, to the end")
    void older() {
        open("/ui/history?to=2999-01-01T00:00:00Z&event=acquired,released&prefix=job-&owner=worker*");
        assertThat(rows()).hasCount(100);
        for (int i = 2; i <= 2 * HOLDS / 100; i++) {
            page.getByText("Show older").click();
            assertThat(rows()).hasCount(Math.min(2 * HOLDS, 100 * i));
        }
        page.getByText("Show older").click();
        assertThat(rows()).hasCount(2 * HOLDS);
        assertThat(page.locator(".end")).hasText("That is all that matches.");
        assertThat(page.evaluate("new Set([...document.querySelectorAll('.log time')].map(it => it.dateTime)).size"))
                .isEqualTo(2 * HOLDS);
    }

    @Test
    @DisplayName("what happens now is announced, if it is wanted, and comes in when the reader lets it")
    void live() {
        open("/ui/history?namespace=live&event=acquired");
        assertThat(page.locator(".empty")).isVisible();
        String lease = locks().acquire("live", "first", "w", "");
        assertThat(page.locator(".fresh-events")).containsText("1 new event");
        assertThat(rows()).hasCount(0);
        locks().acquire("other", "first", "w", "");
        locks().release("live", "first", lease);
        page.keyboard().press(".");
        assertThat(rows()).hasCount(1);
        assertThat(page.locator(".fresh-events")).hasCount(0);
        rows().first().locator("button.opens").click();
        locks().acquire("live", "second", "w", "");
        assertThat(page.locator(".fresh-events")).containsText("1 new event");
        assertThat(rows()).hasCount(1);
        assertThat(page.locator("tr.more")).isVisible();
        page.locator(".fresh-events").click();
        assertThat(rows()).hasCount(2);
        assertThat(page.locator("tr.more")).isVisible();
    }

    @Test
    @DisplayName("a row opens for all that is known, in words; text of strangers is text")
    void opened() {
        page = chromium.wide();
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
        open("/ui/history?event=lost", page);
        assertThat(rows().first().locator(".key")).hasText("deploy:deploy-" + HOSTILE);
        rows().first().locator(".h-why").click();
        Locator facts = page.locator("tr.more");
        assertThat(facts).containsText("lock.lost");
        assertThat(facts).containsText("git_commit");
        assertThat(facts).containsText("4f2a91c");
        assertThat(facts).containsText("request-3");
        assertThat(facts).containsText("0000000000000003");
        assertThat(facts).not().containsText("{");
        assertThat(page.locator("main img")).hasCount(0);
        facts.getByText("Only of " + HOSTILE).click();
        assertThat(rows()).hasCount(2);
        rows().first().locator(".h-why").click();
        page.locator("tr.more").getByText("Only this lock").click();
        assertThat(page.locator(".filters .chip[aria-pressed=true]")).containsText("Lock deploy-" + HOSTILE);
        assertThat(rows()).hasCount(2);
        rows().first().locator(".h-lock a").click();
        assertThat(page.locator(".title h1")).hasText("deploy:deploy-" + HOSTILE);
    }

    @Test
    @DisplayName("with keys only: go there, walk, open, close, and carry away")
    void keyboard() {
        open("/");
        page.keyboard().press("g");
        page.keyboard().press("h");
        assertThat(rows()).hasCount(100);
        page.keyboard().press("j");
        page.keyboard().press("j");
        assertThat(rows().nth(1).locator("button.opens")).isFocused();
        page.keyboard().press("Enter");
        assertThat(rows().nth(1).locator("tr.more")).isVisible();
        page.keyboard().press("Tab");
        assertThat(rows().nth(1).locator(".h-lock a")).isFocused();
        page.keyboard().press("k");
        assertThat(rows().first().locator("button.opens")).isFocused();
        page.locator(".menu summary").focus();
        page.keyboard().press("Enter");
        page.keyboard().press("Tab");
        Download file = page.waitForDownload(() -> page.keyboard().press("Enter"));
        assertThat(file.suggestedFilename()).endsWith(".csv");
    }

    @Test
    @DisplayName("what is filtered is saved as a file, as lines or as a table that no spreadsheet runs")
    void export() throws IOException {
        open("/ui/history?event=expired,lost");
        List<String> table = saved(1);
        assertThat(table).hasSize(3);
        assertThat(table.get(0)).startsWith("timestamp,level,event");
        assertThat(table.get(1)).contains(HOSTILE);
        assertThat(table.get(2)).contains(",'=1+1,").contains(",'=cmd|'/C calc'!A0,");
        assertThat(page.locator(".said-export")).hasText("The file has 2 events: all that match.");
        List<String> lines = saved(2);
        assertThat(lines).hasSize(2).allSatisfy(line -> assertThat(line).startsWith("{\"timestamp\""));
        page.locator(".menu summary").click();
        page.getByText("Copy as curl").click();
        assertThat(page.evaluate("navigator.clipboard.readText()").toString())
                .isEqualTo("curl '" + url("/v2/history?event=lock.expired%2Clock.lost&format=csv'"));
    }

    private List<String> saved(int entry) throws IOException {
        page.locator(".menu summary").click();
        Download file = page.waitForDownload(
                () -> page.locator(".menu li:nth-child(" + entry + ") button").click());
        return Files.readAllLines(file.path());
    }

    @Test
    @DisplayName("a call that fails is told with what helps, what was shown stays, and it can be tried again")
    void failing() {
        open("/ui/history");
        page.route("**/v2/history?**", DashboardHistoryTest::refused);
        choose("Forced");
        assertThat(page.locator(".problem")).containsText("What is shown is old");
        assertThat(page.locator(".problem")).containsText("The store does not answer.");
        assertThat(page.locator(".problem")).containsText("store-unavailable · request abc-1");
        assertThat(rows()).hasCount(100);
        assertThat(page.locator(".empty")).hasCount(0);
        page.locator(".menu summary").click();
        page.locator(".menu li button").first().click();
        assertThat(page.locator(".problem").last()).containsText("The file could not be made.");
        page.unroute("**/v2/history?**");
        page.getByText("Try again").click();
        assertThat(rows()).hasCount(1);
        assertThat(page.getByText("What is shown is old")).hasCount(0);
    }

    static void refused(Route route) {
        route.fulfill(
                new Route.FulfillOptions()
                        .setStatus(503)
                        .setContentType("application/problem+json")
                        .setBody(
                                "{\"code\":\"store-unavailable\",\"detail\":\"The store does not answer.\",\"request_id\":\"abc-1\"}"));
    }

    @Test
    @DisplayName("where nothing has happened, the command that changes that is shown")
    void empty() {
        try (HoldfastServer fresh = new SeededHistory().serve()) {
            page = chromium.wide();
            page.navigate("http://127.0.0.1:" + fresh.port() + "/ui/history");
            assertThat(page.locator(".empty")).containsText("Nothing has happened yet");
            assertThat(page.locator(".empty code"))
                    .containsText("holdfast exec --server http://127.0.0.1:" + fresh.port());
            assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
            page.context().close();
            page = null;
        }
    }
}
