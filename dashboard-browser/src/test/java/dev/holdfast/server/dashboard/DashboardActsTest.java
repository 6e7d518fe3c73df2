package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("in a browser")
class DashboardActsTest {
    private static final Path PICTURES = Path.of("target/dashboard");

    private static final String TOKEN = "hf_anna-0123456789";

    @TempDir
    private Path directory;

    private static Chromium chromium;
    private HoldfastServer server;
    private Page page;

    @BeforeAll
    static void open() {
        chromium = Chromium.shared();
    }

    @AfterAll
    static void shut() {}

    @BeforeEach
    void start() {
        chromium.complaints().clear();
        page = chromium.wide();
    }

    @AfterEach
    void stop() {
        page.context().close();
        if (server != null) {
            server.close();
        }
        assertThat(chromium.complaints()).isEmpty();
    }

    private void serve(String... flags) {
        serveOn(0, "memory:", flags);
    }

    private void serveOn(int port, String store, String... flags) {
        List<String> all = new ArrayList<>(List.of("--server.port=" + port, "--store=" + store));
        all.addAll(List.of(flags));
        server = HoldfastServer.start(ServerSetup.of(Settings.load(all, Map.of(), directory)));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private LockRequests locks() {
        return new LockRequests(server.port());
    }

    @Test
    @DisplayName("force unlock shows the evidence, asks why, ends the hold, and says who has it now")
    void forceUnlock() {
        serve();
        locks().acquire("billing", "invoice-run", "worker-7", "invoices of March");
        page.navigate(url("/ui/lock?namespace=billing&name=invoice-run"));
        page.getByText("Force unlock…").click();
        Locator dialog = page.locator("dialog.force");
        assertThat(dialog).containsText("worker-7");
        assertThat(dialog).containsText("invoices of March");
        assertThat(dialog).containsText("it may still be at work");
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("force.png")));
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        dialog.getByText("End the hold of worker-7").click();
        assertThat(dialog).containsText("End this hold by force?"); // without a reason nothing is sent
        page.locator("#force-reason").fill("worker-7 was deleted");
        dialog.getByText("End the hold of worker-7").click();
        assertThat(dialog).containsText("'worker-7' no longer holds it. The lock is free.");
        dialog.getByText("Close").click();
        assertThat(page.locator("p.sentence")).containsText("is free");
        assertThat(page.locator("ol.events")).containsText("worker-7 was deleted");
    }

    @Test
    @DisplayName("a hold that changed while somebody thought about it is left alone, and that is said")
    void changedMeanwhile() {
        serve();
        String lease = locks().acquire("billing", "invoice-run", "worker-7", "");
        page.navigate(url("/ui/lock?namespace=billing&name=invoice-run"));
        page.getByText("Force unlock…").click();
        page.locator("#force-reason").fill("gone");
        locks().release("billing", "invoice-run", lease);
        locks().acquire("billing", "invoice-run", "worker-8", "");
        assertThat(page.locator("p.sentence")).containsText("worker-8");
        assertThat(page.locator("#force-reason")).hasValue("gone"); // what is typed stays
        page.locator("dialog.force").getByText("End the hold of worker-7").click();
        assertThat(page.locator("dialog.force .problem")).containsText("holder-changed");
        assertThat(page.locator("p.sentence")).containsText("worker-8");
    }

    @Test
    @DisplayName("what came of ending one hold is not told of another, and a server that fails leaves it open")
    void lateOutcome() {
        serve();
        locks().acquire("billing", "a", "worker-a", "");
        locks().acquire("billing", "b", "worker-b", "");
        page.navigate(url("/ui/lock?namespace=billing&name=a"));
        List<Route> held = new ArrayList<>();
        page.route("**/v2/locks/force-unlock", held::add);
        page.getByText("Force unlock…").click();
        page.locator("#force-reason").fill("gone");
        Locator dialog = page.locator("dialog.force");
        dialog.getByText("End the hold of worker-a").click();
        page.waitForCondition(() -> held.size() == 1);
        page.evaluate("history.pushState(null, '', '/ui/lock?namespace=billing&name=b');"
                + " dispatchEvent(new PopStateEvent('popstate'))");
        assertThat(page.locator("p.sentence")).containsText("worker-b");
        assertThat(dialog).isHidden(); // it was about the other one
        page.getByText("Force unlock…").click();
        page.locator("#force-reason").fill("gone, too");
        // In the end it looks who has it now.
        page.waitForResponse(
                it -> it.url().endsWith("namespace=billing&name=a"),
                () -> held.get(0).resume());
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertThat(dialog).containsText("End the hold of worker-b");
        assertThat(page.locator("#force-reason")).hasValue("gone, too");
        dialog.getByText("End the hold of worker-b").click();
        page.waitForCondition(() -> held.size() == 2);
        held.get(1).fulfill(new Route.FulfillOptions().setStatus(503).setBody("{}"));
        assertThat(dialog.locator(".problem")).containsText("It is not known whether it was done; look again.");
    }

    @Test
    @DisplayName("names, reasons and metadata of strangers are text")
    void hostile() {
        serve();
        String hostile = "<img src=x onerror=alert(1)>'\"${7*7}<script>alert(2)</script>";
        locks().acquire("evil", hostile, hostile, hostile);
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
        for (String path : List.of("/", "/ui/locks")) {
            page.navigate(url(path));
            assertThat(page.locator("main .key").first()).containsText("<img src=x onerror=alert(1)>");
        }
        page.locator(".row .key").click();
        assertThat(page.locator("p.sentence")).containsText(hostile);
        assertThat(page.locator(".card .owner")).hasText(hostile);
        assertThat(page.locator("main img, main script")).hasCount(0);
        page.getByText("Force unlock…").click();
        assertThat(page.locator("dialog.force")).containsText(hostile);
    }

    @Test
    @DisplayName("new locks are announced, and come in when the reader wants them; what ended stays in its place")
    void announced() {
        serve();
        String lease = locks().acquire("a", "first", "w", "");
        locks().acquire("a", "second", "w", "");
        page.navigate(url("/ui/locks"));
        assertThat(page.locator(".row")).hasCount(2);
        page.keyboard().press("j");
        locks().acquire("a", "between", "w", "");
        assertThat(page.locator(".fresh")).containsText("1 new lock");
        locks().release("a", "first", lease);
        assertThat(page.locator(".row").first()).containsText("free now");
        assertThat(page.locator(".row")).hasCount(2);
        page.keyboard().press(".");
        assertThat(page.locator(".row")).hasCount(2);
        assertThat(page.locator(".row").first()).containsText("between");
    }

    @Test
    @DisplayName("a server that is gone is called gone; when it is back, the page goes on by itself")
    void restart() {
        String store = "sqlite:" + directory.resolve("locks.db");
        serveOn(0, store);
        int port = server.port();
        locks().acquire("a", "before", "worker", "");
        page.navigate(url("/ui/locks"));
        assertThat(page.locator(".row")).hasCount(1);
        assertThat(page.locator(".live.live")).hasText("live");
        server.close();
        assertThat(page.locator(".live.reconnecting")).containsText("reconnecting");
        assertThat(page.locator(".problem")).containsText("What is shown is old");
        serveOn(port, store);
        assertThat(page.locator(".live.live")).hasText("live");
        locks().acquire("a", "after", "worker", "");
        assertThat(page.locator(".row")).hasCount(2);
        assertThat(page.locator(".problem")).hasCount(0);
    }

    @Test
    @DisplayName("what was missed without a connection is in the history, all of it and once, whoever tells it first")
    void missed() {
        String store = "sqlite:" + directory.resolve("locks.db");
        serveOn(0, store);
        int port = server.port();
        acquire(0, 3);
        page.navigate(url("/ui/history?event=acquired"));
        Locator locks = page.locator(".log .h-lock .key");
        assertThat(locks).hasText(newestFirst(3));
        assertThat(page.locator(".live.live")).hasText("live");
        List<Route> held = new ArrayList<>();
        page.route("**/v2/history?*", held::add);
        reconnect(port, store, 3, 9);
        assertThat(page.locator(".fresh-events")).containsText("6 new events"); // from the stream
        page.waitForCondition(() -> !held.isEmpty());
        page.unroute("**/v2/history?*");
        Response answer = page.waitForResponse("**/v2/history?*", () -> held.forEach(Route::resume));
        assertThat(answer.finished()).isNull();
        page.keyboard().press(".");
        assertThat(locks).hasText(newestFirst(9));
        reconnect(port, store, 9, 130);
        assertThat(page.locator(".fresh-events")).containsText("or more"); // one answer has a hundred
        page.keyboard().press(".");
        page.getByText("Show older").click();
        assertThat(locks).hasText(newestFirst(130));
    }

    private void acquire(int from, int to) {
        for (int i = from; i < to; i++) {
            locks().acquire("a", "lock-" + i, "worker", "");
        }
    }

    private static String[] newestFirst(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "a:lock-" + (count - 1 - i))
                .toArray(String[]::new);
    }

    /** The server goes, comes back, and locks are taken before the page is connected again. */
    private void reconnect(int port, String store, int from, int to) {
        page.route("**/v2/events", Route::abort);
        server.close();
        assertThat(page.locator(".live.reconnecting")).isVisible();
        serveOn(port, store);
        acquire(from, to);
        page.unroute("**/v2/events");
        assertThat(page.locator(".live.live")).hasText("live");
    }

    @Test
    @DisplayName("another store behind the server is another history, and the page begins anew")
    void anotherHistory() {
        serve();
        int port = server.port();
        for (int i = 0; i < 20; i++) {
            locks().acquire("a", "old-" + i, "worker", "");
        }
        page.navigate(url("/ui/locks"));
        assertThat(page.locator(".row")).hasCount(20);
        server.close();
        serveOn(port, "memory:");
        locks().acquire("b", "new", "worker", "");
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".row")).hasCount(1);
        assertThat(page.locator(".row")).containsText("b:new");
    }

    @Test
    @DisplayName("who must sign in does so with a token, which stays in memory; roles decide what is offered")
    void signIn() throws IOException {
        serveForAnna();
        page.navigate(url("/ui/lock?namespace=a&name=b"));
        assertThat(page.locator("h1")).hasText("Sign in to Holdfast");
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("signin.png")));
        page.locator("#token").fill("hf_wrong-0123456789");
        page.keyboard().press("Enter");
        assertThat(page.locator("#refusal")).containsText("This token is not known here");
        page.locator("#token").fill(TOKEN);
        page.keyboard().press("Enter");
        assertThat(page.locator(".who")).containsText("anna");
        assertThat(page.locator("p.sentence")).containsText("Lock a:b is free");
        assertThat(page.getByText("Force unlock…")).hasCount(0);
        assertThat(page.context().cookies()).isEmpty();
        assertThat(page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
                        .toString())
                .doesNotContain("hf_");
        Page second = page.context().newPage();
        second.navigate(url("/"));
        assertThat(second.locator(".who")).containsText("anna"); // handed over by the first
    }

    private void serveForAnna() throws IOException {
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "auth:\n  tokens:\n    - {id: anna, sha256: \""
                        + Digest.of(TOKEN).hex() + "\", roles: {\"*\": [read]}}\n");
        serve();
    }

    @Test
    @DisplayName("who signs out does so in all tabs, and no tab is signed in again by another that it did not ask")
    void signOut() throws IOException {
        serveForAnna();
        page.navigate(url("/"));
        page.locator("#token").fill(TOKEN);
        page.keyboard().press("Enter");
        assertThat(page.locator(".who")).containsText("anna");
        Page second = page.context().newPage();
        second.navigate(url("/ui/locks"));
        assertThat(second.locator(".who")).containsText("anna");
        second.getByText("Sign out").click();
        assertThat(second.locator("h1")).hasText("Sign in to Holdfast");
        assertThat(page.locator("h1")).hasText("Sign in to Holdfast");
        page.locator("#token").fill(TOKEN);
        page.keyboard().press("Enter");
        assertThat(page.locator(".who")).containsText("anna");
        List<String> asked = new ArrayList<>();
        second.onRequest(request -> asked.add(request.url()));
        Page third = page.context().newPage();
        third.navigate(url("/"));
        assertThat(third.locator(".who")).containsText("anna");
        assertThat(second.locator("h1")).hasText("Sign in to Holdfast");
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("a dashboard that only reads offers no act; without one there is the reference")
    void readOnly() {
        serve("--dashboard.read-only=true");
        locks().acquire("a", "b", "worker", "");
        page.navigate(url("/ui/lock?namespace=a&name=b"));
        assertThat(page.locator(".card .owner")).hasText("worker");
        assertThat(page.getByText("Force unlock…")).hasCount(0);
    }

    @Test
    @DisplayName("ten thousand locks: seen within a moment, few rows drawn, and no long task")
    void many() throws Exception {
        serve();
        LockEngine engine = server.engine();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(engine.acquire(new Request(
                            new RecordKey("team-" + i % 7, String.format("job-%05d", i)),
                            engine.newLeaseId(),
                            Scope.WHOLE,
                            "worker-" + i % 50,
                            Terms.of(Duration.ofHours(1)),
                            Duration.ZERO,
                            Duration.ZERO))
                    .answer()
                    .toCompletableFuture());
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
        page.addInitScript("window.longest = 0; new PerformanceObserver(list => list.getEntries().forEach(entry =>"
                + " window.longest = Math.max(window.longest, entry.duration))).observe({type: 'longtask'})");
        page.navigate(url("/ui/locks"));
        assertThat(page.locator("h1.sentence")).hasText("10,000 locks in use");
        assertThat((int) page.evaluate("document.querySelectorAll('.row').length"))
                .isLessThan(80);
        assertThat(page.locator(".group").first()).containsText("team-0 1,429 locks");
        page.waitForCondition(
                () -> { // each page comes when somebody gets there
                    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
                    return page.locator(".row").last().textContent().contains("job-09995");
                });
        assertThat((int) page.evaluate("document.querySelectorAll('.row').length"))
                .isLessThan(80);
        System.out.println("Longest task with 10 000 locks: " + page.evaluate("window.longest") + " ms");
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("many.png")));
    }
}
