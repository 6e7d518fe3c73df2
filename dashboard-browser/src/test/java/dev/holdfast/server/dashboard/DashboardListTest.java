package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One server for all: what a test needs has a namespace of its own. */
@DisplayName("in a browser, lists and search ask the server")
class DashboardListTest {
    private static Chromium chromium;
    private static HoldfastServer server;
    private Page page;
    private final List<String> asked = new ArrayList<>();

    @BeforeAll
    static void open() {
        chromium = Chromium.shared();
        server = HoldfastServer.start(ServerSetup.of(
                Settings.load(List.of("--server.port=0", "--store=memory:"), Map.of(), Path.of("no-such-directory"))));
        for (int i = 0; i < 300; i++) {
            take("many", String.format("job-%03d", i), "worker-" + i % 3, Duration.ZERO);
        }
    }

    @AfterAll
    static void shut() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void start() {
        chromium.complaints().clear();
        page = chromium.wide();
        page.onRequest(request -> asked.add(request.url().replaceAll("^http://[^/]+", "")));
    }

    @AfterEach
    void stop() {
        page.context().close();
        assertThat(chromium.complaints()).isEmpty();
    }

    /** Takes it for an hour, or begins to wait for it. */
    private static void take(String namespace, String name, String owner, Duration wait) {
        LockEngine engine = server.engine();
        CompletableFuture<?> answer = engine.acquire(new Request(
                        new RecordKey(namespace, name),
                        engine.newLeaseId(),
                        Scope.WHOLE,
                        owner,
                        Terms.of(Duration.ofHours(1)),
                        wait,
                        Duration.ZERO))
                .answer()
                .toCompletableFuture();
        if (wait.isZero()) {
            answer.join();
        }
    }

    private void visit(String path) {
        page.navigate("http://127.0.0.1:" + server.port() + path);
        assertThat(page.locator(".live.live")).hasText("live");
    }

    private static LockRequests locks() {
        return new LockRequests(server.port());
    }

    @Test
    @DisplayName("the first view needs one request for data, and pages come when somebody scrolls there")
    void pages() {
        visit("/ui/locks?namespace=many");
        assertThat(page.locator("h1.sentence")).hasText("300 locks match");
        assertThat(asked.stream().filter(url -> url.startsWith("/v2/")).limit(2))
                .allMatch(url -> url.equals("/v2/whoami") || url.startsWith("/v2/locks?"));
        assertThat(asked).noneMatch(url -> url.contains("cursor="));
        page.waitForCondition(() -> {
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
            return page.locator(".row").last().textContent().contains("job-299");
        });
        assertThat(asked).anyMatch(url -> url.contains("cursor="));
    }

    @Test
    @DisplayName("the overview is one request, and then at most one every two seconds, however much happens")
    void overview() {
        visit("/");
        assertThat(page.locator(".tile")).hasCount(4);
        assertThat(asked.stream().filter(url -> url.startsWith("/v2/") || url.startsWith("/health")))
                .startsWith("/v2/whoami", "/v2/overview")
                .filteredOn(url -> url.startsWith("/v2/lock"))
                .isEmpty();
        page.waitForTimeout(2_500);
        asked.clear();
        for (int i = 0; i < 40; i++) {
            String lease = locks().acquire("storm", "lock-" + i % 4, "gust", "");
            locks().release("storm", "lock-" + i % 4, lease);
            page.waitForTimeout(50);
        }
        assertThat(page.locator("ol.events li").first()).containsText("storm:lock-3");
        assertThat(asked.stream().filter(url -> url.startsWith("/v2/overview")).count())
                .as("readings in about two seconds or a few more")
                .isBetween(1L, 6L);
    }

    @Test
    @DisplayName(
            "a hold that ends soon, one that waits and one that was forced are seen on the overview, each with its next step")
    void needsALook() {
        String lease = locks().acquire("look", "forced", "worker-9", "");
        take("look", "busy", "holder-1", Duration.ZERO);
        take("look", "busy", "waiter-1", Duration.ofMinutes(5));
        locks().force("look", "forced", "worker-9 was deleted");
        assertThat(lease).isNotEmpty();
        visit("/");
        assertThat(page.locator(".look")).containsText("was taken from worker-9");
        assertThat(page.locator(".look")).containsText("worker-9 was deleted");
        assertThat(page.locator(".hot")).containsText("look:busy");
        page.locator(".tile a").nth(1).click();
        assertThat(page.locator(".chip[aria-pressed=true]")).hasText("Waited for");
        assertThat(page.locator(".row").filter(new Locator.FilterOptions().setHasText("look:busy")))
                .hasCount(1);
    }

    @Test
    @DisplayName("filters, order and headings are in the address; another order says of how many it shows the first")
    void orders() {
        take("order", "b-first", "w", Duration.ZERO);
        take("order", "a-second", "w", Duration.ZERO);
        take("order", "a-second", "x", Duration.ofMinutes(5));
        visit("/ui/locks?q=order:");
        assertThat(page.locator(".row")).hasCount(2);
        assertThat(page.locator(".row").first()).containsText("a-second");
        assertThat(page.locator(".group")).hasText("order 2 locks");
        page.locator("select[aria-label=Order]").selectOption("held");
        assertThat(page.locator(".row").first()).containsText("b-first");
        assertThat(page.locator(".group")).hasCount(0);
        assertThat(page.url()).endsWith("?q=order%3A&sort=held");
        page.locator("select[aria-label=Order]").selectOption("waiting");
        assertThat(page.locator(".row").first()).containsText("a-second");
        visit("/ui/locks?sort=held");
        assertThat(page.locator("h1.sentence")).containsText("The 200 locks held longest of 3");
        visit("/ui/locks?owner=worker-1&namespace=many");
        assertThat(page.locator("h1.sentence")).hasText("100 locks match");
        page.getByText("Of worker-1 ×").click();
        assertThat(page.locator("h1.sentence")).hasText("300 locks match");
        page.getByText("Clear").click();
        assertThat(page.locator("h1.sentence")).containsText("in use");
        assertThat(page.url()).endsWith("/ui/locks");
    }

    @Test
    @DisplayName(
            "the frame finds with keys alone, by kind; names of strangers are text, and late answers are not shown")
    void search() {
        String hostile = "<img src=x onerror=alert(1)>";
        take("found", "needle-1", hostile, Duration.ZERO);
        take("found", "needle-2", "w", Duration.ZERO);
        visit("/");
        page.keyboard().press("/");
        page.route("**/v2/locks?q=need&*", Route::abort); // an answer to what was typed before
        page.keyboard().type("need");
        page.waitForTimeout(200);
        page.keyboard().type("le");
        Locator hits = page.locator(".hits [role=option]");
        assertThat(hits).hasCount(2);
        assertThat(hits.first()).containsText(hostile);
        assertThat(page.locator(".hits img")).hasCount(0);
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        page.keyboard().press("ArrowDown");
        page.keyboard().press("ArrowDown");
        assertThat(hits.nth(1)).hasAttribute("aria-selected", "true");
        page.keyboard().press("Enter");
        assertThat(page.locator(".title h1")).hasText("found:needle-2");
        page.keyboard().press("/");
        page.keyboard().type("no such thing");
        assertThat(page.locator(".hits")).containsText("Nothing has that name.");
        page.keyboard().press("Escape");
        assertThat(page.locator(".hits")).isHidden();
    }

    @Test
    @DisplayName("a list that cannot be read says so, with what helps to find out why, and goes on when it can")
    void failing() {
        page.route(
                "**/v2/locks?*",
                route -> route.fulfill(
                        new Route.FulfillOptions()
                                .setStatus(503)
                                .setContentType("application/problem+json")
                                .setBody(
                                        "{\"code\":\"store-unavailable\",\"detail\":\"The store is gone.\",\"request_id\":\"r-1\"}")));
        visit("/ui/locks");
        assertThat(page.locator(".problem")).containsText("Locks cannot be read. The store is gone.");
        assertThat(page.locator(".problem")).containsText("store-unavailable · request r-1");
        assertThat(page.locator(".empty")).hasCount(0);
        page.unroute("**/v2/locks?*");
        page.locator(".row").first().waitFor(); // it is tried again every few seconds
        assertThat(page.locator(".problem")).hasCount(0);
        page.route("**/v2/overview", Route::abort);
        visit("/");
        assertThat(page.locator(".problem")).containsText("The overview cannot be read.");
    }

    @Test
    @DisplayName("an answer that is none of the server's is told, and the page goes on when the server answers again")
    void unreadable() {
        Consumer<Route> proxy = route -> route.fulfill(
                new Route.FulfillOptions().setContentType("text/html").setBody("<h1>Sign in to the proxy</h1>"));
        for (String path : List.of("/v2/overview", "/v2/locks?*")) {
            page.route("**" + path, proxy);
            visit(path.contains("overview") ? "/" : "/ui/locks");
            assertThat(page.locator(".problem")).containsText("The answer is not from Holdfast");
            assertThat(page.locator(".problem")).containsText("unreadable");
            page.unroute("**" + path);
            assertThat(page.locator(".problem")).hasCount(0);
            assertThat(page.locator("main .key").first()).isVisible();
        }
        page.route("**/state?*", proxy);
        page.keyboard().press("/");
        page.keyboard().type("no such thing");
        assertThat(page.locator(".hits")).containsText("The stacks cannot be searched: The answer is not from");
        assertThat(page.locator(".hits")).not().containsText("Nothing has that name.");
        page.unroute("**/state?*");
        page.keyboard().type("!");
        assertThat(page.locator(".hits")).hasText("Nothing has that name.");
    }

    @Test
    @DisplayName(
            "a page of a lock tells who watches it when it changes hands; a run is a link only if it has an address")
    void watched() {
        String lease = locks().acquire(
                        "watch",
                        "it",
                        "worker-1",
                        "",
                        Map.of(
                                "ci_run",
                                "41584",
                                "ci_url",
                                "https://ci.example/41584",
                                "git_commit",
                                "javascript:alert(1)",
                                "host",
                                "build-7"));
        visit("/ui/lock?namespace=watch&name=it");
        assertThat(page.locator(".card a")).hasText("41584");
        assertThat(page.locator(".card a")).hasAttribute("href", "https://ci.example/41584");
        assertThat(page.locator(".card")).containsText("javascript:alert(1)");
        assertThat(page.locator(".card")).containsText("build-7");
        page.getByText("Watch", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.locator(".title .chip")).hasText("Watching");
        locks().release("watch", "it", lease);
        assertThat(page.locator(".said")).hasText("watch:it is free");
    }

    @Test
    @DisplayName(
            "rows change in place while the reader points at them; with headings, axe finds nothing, dark and narrow too")
    void inPlace() {
        String lease = locks().acquire("place", "row-1", "worker-1", "");
        locks().acquire("place", "row-2", "worker-2", "");
        visit("/ui/locks?q=place:");
        assertThat(page.locator(".row")).hasCount(2);
        page.locator(".row").nth(1).hover();
        locks().release("place", "row-1", lease);
        assertThat(page.locator(".row").first()).containsText("free now");
        locks().acquire("place", "row-1", "worker-3", "");
        assertThat(page.locator(".row").first()).containsText("worker-3");
        locks().acquire("place", "row-0", "worker-4", "");
        assertThat(page.locator(".fresh")).containsText("1 new lock");
        assertThat(page.locator(".row").first()).containsText("worker-3");
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        Page narrow = chromium.page(390, 844, ColorScheme.DARK);
        narrow.navigate("http://127.0.0.1:" + server.port() + "/ui/locks?q=place:");
        assertThat(narrow.locator(".row")).hasCount(3);
        assertThat(new AxeBuilder(narrow).analyze().getViolations()).isEmpty();
        assertThat((int) narrow.evaluate("document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(390);
        narrow.context().close();
    }
}
