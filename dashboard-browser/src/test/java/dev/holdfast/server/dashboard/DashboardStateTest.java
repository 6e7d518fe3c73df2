package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import dev.holdfast.server.DemoServer;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("state in a browser")
class DashboardStateTest {
    private static final Path PICTURES = Path.of("target/dashboard");
    private static final String LOCK_ID = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String TOKEN = "hf_anna-0123456789";
    private static final Map<String, String> PAGES =
            Map.of("state", "/ui/state", "stack", "/ui/stack?name=network&environment=prod");
    /** What people do not notice. */
    private static Chromium chromium;

    private static HoldfastServer demo;

    @TempDir
    private Path directory;

    private HoldfastServer own;
    private Page page;

    @BeforeAll
    static void open() {
        chromium = Chromium.shared();
        demo = DemoServer.start(
                ServerSetup.of(Settings.load(List.of("--server.port=0"), Map.of(), Path.of("no-such-directory")))
                        .inMemory());
    }

    @AfterAll
    static void shut() {
        if (demo != null) {
            demo.close();
        }
    }

    @BeforeEach
    void start() {
        chromium.complaints().clear();
        page = chromium.wide();
    }

    @AfterEach
    void stop() {
        page.context().close();
        if (own != null) {
            own.close();
        }
        assertThat(chromium.complaints()).isEmpty();
    }

    private void serve(String... flags) {
        List<String> all = new ArrayList<>(List.of("--server.port=0", "--store=memory:"));
        all.addAll(List.of(flags));
        own = HoldfastServer.start(ServerSetup.of(Settings.load(all, Map.of(), directory)));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + (own == null ? demo : own).port() + path;
    }

    private void go(String path) {
        page.navigate(url(path));
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence").first()).not().hasText("Looking…");
    }

    private StateRequests state(String stack, String environment) {
        return new StateRequests(own.port(), stack, environment);
    }

    /** As terraform writes it. */
    private static String terraform(int serial, String outputs, String... resources) {
        return "{\"version\":4,\"serial\":" + serial + ",\"lineage\":\"l\",\"outputs\":{" + outputs
                + "},\"resources\":[" + String.join(",", resources) + "]}";
    }

    private static String resource(String name, String attributes) {
        return "{\"mode\":\"managed\",\"type\":\"box\",\"name\":\"" + name
                + "\",\"instances\":[{\"attributes\":{" + attributes
                + "},\"sensitive_attributes\":[[{\"type\":\"get_attr\",\"value\":\"login\"}]]}]}";
    }

    @TestFactory
    @DisplayName(
            "each page, light and dark, wide and narrow: no violation of WCAG, nothing wider than the window, nothing moves")
    Stream<DynamicTest> accessible() {
        return Look.each(PAGES.keySet().stream(), this::check);
    }

    private void check(String name, Look look) {
        page.context().close();
        page = look.page(chromium);
        go(PAGES.get(name));
        page.locator(".cell .serial, .change").first().waitFor();
        Chromium.assertStill(page);
        look.picture(page, name);
        look.assertAccessible(page);
    }

    private void axe(String name) {
        AxeResults found = new AxeBuilder(page).analyze();
        assertThat(found.getPasses()).as("rules that were tried").hasSizeGreaterThan(10);
        assertThat(found.getViolations().stream().map(Rule::getHelp)).as(name).isEmpty();
    }

    @Test
    @DisplayName("the grid has stacks and environments, says who holds them, and is filtered by its address")
    void grid() {
        go("/ui/state");
        assertThat(page.locator("h1.sentence")).containsText("4 stacks in 3 environments");
        assertThat(page.locator("h1.sentence")).containsText("1 not saved for 90 days");
        assertThat(page.locator(".stacks thead th")).hasText(new String[] {"Stack", "dev", "staging", "prod"});
        assertThat(page.locator(".stack").first()).containsText("stale lock of mia@ci-runner-3");
        page.getByText("Stale lock", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(page.locator(".cell")).hasCount(1);
        assertThat(page).hasURL(url("/ui/state?state=stale"));
        go("/ui/state?q=shop&environment=dev");
        assertThat(page.locator(".cell")).hasCount(1);
        assertThat(page.locator("hf-state input[type=search]")).hasValue("shop");
        page.locator("hf-state input[type=search]").fill("no such thing");
        assertThat(page.locator(".empty")).containsText("No stack matches");
        page.getByText("Show all").click();
        assertThat(page.locator(".stack")).hasCount(4);
    }

    @Test
    @DisplayName("everything can be done with keys: find a stack, open it, look at its versions")
    void keyboard() {
        go("/");
        page.keyboard().press("g");
        page.keyboard().press("s");
        assertThat(page.locator(".stack")).hasCount(4);
        page.keyboard().press("f");
        page.keyboard().type("shop");
        page.keyboard().press("Escape");
        assertThat(page.locator(".stack")).hasCount(1);
        page.keyboard().press("j");
        page.keyboard().press("ArrowRight");
        page.keyboard().press("ArrowRight");
        page.keyboard().press("Enter");
        assertThat(page.locator(".title h1")).hasText("State / shop / prod");
        assertThat(page.locator(".versions .selected")).containsText("#13");
        page.keyboard().press("j");
        assertThat(page.locator(".versions .selected")).containsText("#12");
        assertThat(page.locator(".comparison")).containsText("aws_elasticache_cluster.sessions");
        page.keyboard().press("j");
        assertThat(page.locator(".comparison")).containsText("the oldest version that is kept");
        page.getByText("Restore serial 11…").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("dialog.restore")).containsText("Make serial 11 current again?");
        page.keyboard().press("Escape");
        assertThat(page.locator("dialog.restore")).isHidden();
    }

    @Test
    @DisplayName("versions are compared side by side; a secret is in no answer and nowhere on the page")
    void secrets() {
        serve();
        StateRequests shop = state("shop", "prod");
        String box = "\"login\":\"hunter2-one\",\"size\":\"small\",\"api_token\":\"hunter2-x\"";
        shop.save(terraform(1, "", resource("a", box), resource("gone", box)));
        shop.save(terraform(
                2,
                "\"conn\":{\"value\":\"hunter2-four\",\"sensitive\":true}",
                resource(
                        "a",
                        "\"login\":\"hunter2-three-is-much-longer\",\"size\":\"large\",\"api_token\":\"hunter2-y\""),
                resource("new", box)));
        List<Response> answers = new ArrayList<>();
        page.onResponse(answers::add);
        go("/ui/stack?name=shop&environment=prod");
        assertThat(page.locator(".sentence")).containsText("Serial 2 was saved by anonymous");
        assertThat(page.locator(".sentence")).containsText("Nobody holds its lock.");
        assertThat(page.locator(".versions li").first().locator(".counts")).hasText("+2~1−1");
        assertThat(page.locator(".summary")).hasText("2 added, 1 changed, 1 removed.");
        Locator changed = page.locator(".change.changed").first();
        assertThat(changed.locator("tr:has-text('size') td")).hasText(new String[] {"small", "large"});
        assertThat(changed.locator("tr:has-text('login') td")).hasText(new String[] {"••••", "••••"});
        assertThat(changed.locator("tr:has-text('api_token') td")).hasText(new String[] {"••••", "••••"});
        assertThat(page.locator(".change.added:has-text('output.conn')")).containsText("••••");
        assertThat(page.locator(".change.removed")).containsText("box.gone");
        page.getByText("Verify").click();
        assertThat(page.locator(".result")).containsText("Checked: all 3 documents are as they were saved.");
        page.getByText("Back up").click();
        assertThat(page.locator(".result")).containsText("Serial 2 is kept");
        page.locator(".pair select")
                .nth(1)
                .selectOption(new com.microsoft.playwright.options.SelectOption().setIndex(1));
        assertThat(page.locator(".comparison")).containsText("the oldest version that is kept");
        page.getByText("Restore serial 1…").click();
        assertThat(page.locator("dialog.restore .changes")).hasText("1 added, 1 changed, 2 removed");
        axe("the dialog");
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("restore.png")));
        assertThat(page.content()).doesNotContain("hunter2");
        List<Response> bodies = answers.stream()
                .filter(answer -> !answer.url().endsWith("/v2/events"))
                .toList();
        assertThat(bodies.stream().filter(it -> it.url().contains("/diff"))).isNotEmpty();
        assertThat(bodies.stream().map(Response::text)).noneMatch(body -> body.contains("hunter2"));
    }

    @Test
    @DisplayName("a version is restored from click to effect: with a preview and a reason, as a new version")
    void restore() {
        serve();
        StateRequests shop = state("shop", "prod");
        shop.save(terraform(1, "", resource("a", "\"size\":\"small\"")));
        shop.save(terraform(2, "", resource("b", "\"size\":\"small\"")));
        go("/ui/stack?name=shop&environment=prod");
        page.locator(".versions .select").nth(1).click();
        page.getByText("Restore serial 1…").click();
        Locator dialog = page.locator("dialog.restore");
        assertThat(dialog.locator(".outline")).containsText("box.a");
        assertThat(dialog.locator(".outline")).containsText("box.b");
        dialog.getByText("Restore serial 1", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(dialog).containsText("Make serial 1 current again?"); // without a reason nothing is sent
        page.locator("#restore-reason").fill("b was\na mistake");
        dialog.getByText("Restore serial 1", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(dialog).containsText("Serial 3 is current now: what serial 1 was.");
        dialog.getByText("Close").click();
        assertThat(page.locator(".versions li").first()).containsText("restore: b was a mistake");
        assertThat(page.locator(".sentence")).containsText("Serial 3 was saved");
        assertThat(shop.current()).contains("\"serial\":3", "\"name\":\"a\"").doesNotContain("\"name\":\"b\"");
    }

    @Test
    @DisplayName("if somebody saved meanwhile, or holds the lock, nothing is restored, and that is said")
    void restoreRefused() {
        serve();
        StateRequests shop = state("shop", "prod");
        shop.save(terraform(1, "", resource("a", "\"size\":\"small\"")));
        shop.save(terraform(2, "", resource("b", "\"size\":\"small\"")));
        go("/ui/stack?name=shop&environment=prod");
        page.locator(".versions .select").nth(1).click();
        page.getByText("Restore serial 1…").click();
        Locator dialog = page.locator("dialog.restore");
        Locator act = dialog.getByText("Restore serial 1", new Locator.GetByTextOptions().setExact(true));
        page.locator("#restore-reason").fill("b was a mistake");
        assertThat(dialog.locator(".changes")).isVisible();
        shop.save(terraform(7, "", resource("c", "\"size\":\"small\"")));
        assertThat(page.locator(".versions-and-diff .fresh"))
                .containsText("1 new version"); // announced, the dialog stays
        act.click();
        assertThat(dialog.locator(".problem"))
                .containsText("Nothing was restored. State of stack 'shop' in 'prod' was changed");
        assertThat(dialog.locator(".problem")).containsText("state-refused · request ");
        assertThat(page.locator("#restore-reason")).hasValue("b was a mistake");
        assertThat(shop.current()).contains("\"serial\":7");
        dialog.locator("button:has-text('Look again')").click();
        assertThat(dialog).containsText("serial 7");
        assertThat(dialog.locator(".outline")).containsText("box.c");
        shop.lock(LOCK_ID, "ci@runner-7");
        assertThat(dialog).containsText("free"); // what is shown does not change
        act.click();
        assertThat(dialog.locator(".problem")).containsText("state-locked");
        assertThat(dialog.locator(".problem")).containsText("ci@runner-7");
        shop.unlock(LOCK_ID);
        act.click();
        assertThat(dialog).containsText("Serial 8 is current now");
    }

    @Test
    @DisplayName("the lock box says who holds it, and ends the hold by force with the token that was seen")
    void forceUnlock() {
        serve();
        StateRequests shop = state("shop", "prod");
        shop.save(terraform(1, ""));
        shop.lock(LOCK_ID, "ci@runner-7");
        go("/ui/state");
        assertThat(page.locator(".cell")).containsText("locked by ci@runner-7");
        page.locator(".cell").click();
        assertThat(page.locator(".sentence")).containsText("It is locked by ci@runner-7");
        assertThat(page.locator(".lockbox .holder")).containsText("apply");
        page.getByText("Force unlock…").click();
        Locator dialog = page.locator("dialog.force");
        assertThat(dialog).containsText("deploy:stack:shop:env:prod");
        page.locator("#force-reason").fill("the runner is gone");
        dialog.getByText("End the hold of ci@runner-7").click();
        assertThat(dialog).containsText("The lock is free.");
        dialog.getByText("Close").click();
        assertThat(page.locator(".sentence")).containsText("Nobody holds its lock.");
    }

    @Test
    @DisplayName("it is live: a save changes its cell, a new stack is announced, a lock comes and goes")
    void live() {
        serve();
        state("shop", "prod").save(terraform(1, ""));
        go("/ui/state");
        assertThat(page.locator(".cell .serial")).hasText("#1");
        state("shop", "prod").save(terraform(2, ""));
        assertThat(page.locator(".cell .serial")).hasText("#2");
        state("blog", "prod").save(terraform(1, ""));
        assertThat(page.locator(".fresh")).containsText("1 new stack");
        assertThat(page.locator(".stack")).hasCount(1);
        page.keyboard().press(".");
        assertThat(page.locator(".stack")).hasCount(2);
        state("blog", "prod").lock(LOCK_ID, "anna@laptop");
        assertThat(page.locator(".cell").first()).containsText("locked by anna@laptop");
        state("blog", "prod").unlock(LOCK_ID);
        assertThat(page.locator(".cell").first()).not().containsText("anna");
    }

    @Test
    @DisplayName("many stacks and versions come page by page; a search means all of them")
    void many() {
        serve();
        IntStream.range(0, 205)
                .parallel()
                .forEach(i -> state(String.format("s-%03d", i), "prod").save(terraform(1, "")));
        for (int i = 1; i <= 21; i++) {
            state("s-000", "prod").save(terraform(i, ""));
        }
        go("/ui/state");
        assertThat(page.locator("h1.sentence")).containsText("The first 200 stacks");
        assertThat(page.locator(".stack")).hasCount(100);
        page.getByText("Show more").click();
        assertThat(page.locator(".stack")).hasCount(200);
        page.getByText("Show more").click();
        assertThat(page.locator(".stack")).hasCount(205);
        assertThat(page.getByText("Show more")).hasCount(0);
        go("/ui/state?q=s-204");
        assertThat(page.locator(".stack")).hasCount(1);
        go("/ui/stack?name=s-000&environment=prod");
        assertThat(page.locator(".versions li")).hasCount(20);
        page.getByText("Show more").click();
        assertThat(page.locator(".versions li")).hasCount(22);
    }

    @Test
    @DisplayName("versions of one stack that come late are not listed with another, nor is what was asked about it")
    void lateVersions() {
        serve();
        for (int i = 1; i <= 21; i++) {
            state("big", "prod").save(terraform(i, ""));
        }
        state("small", "prod").save(terraform(1, ""));
        go("/ui/stack?name=big&environment=prod");
        assertThat(page.locator(".versions li")).hasCount(20);
        List<Route> held = new ArrayList<>();
        page.route(it -> it.contains("/big/prod/history?") && it.contains("cursor="), held::add);
        page.route("**/big/prod/verify", held::add);
        page.getByText("Show more").click();
        page.getByText("Verify").click();
        page.waitForCondition(() -> held.size() == 2);
        page.evaluate("history.pushState(null, '', '/ui/stack?name=small&environment=prod');"
                + " dispatchEvent(new PopStateEvent('popstate'))");
        assertThat(page.locator(".title h1")).hasText("State / small / prod");
        assertThat(page.locator(".versions li")).hasCount(1);
        assertThat(page.getByText("Verify")).isEnabled();
        page.waitForResponse(
                it -> it.url().contains("cursor="), () -> held.get(0).resume());
        page.waitForResponse("**/big/prod/verify", () -> held.get(1).resume());
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertThat(page.locator(".versions li")).hasCount(1);
        assertThat(page.locator(".result")).hasText("");
        assertThat(page.locator(".versions .what")).hasText("the oldest kept");
    }

    @Test
    @DisplayName("names and values of strangers are text")
    void hostile() {
        serve();
        String evil = "<img src=x onerror=alert(1)>${7*7}<script>alert(2)</script>";
        StateRequests shop = state("shop", "prod");
        shop.save(terraform(1, "\"" + evil + "\":{\"value\":1}"));
        shop.save(terraform(2, "\"" + evil + "\":{\"value\":\"" + evil + "\"}"));
        shop.lock(LOCK_ID, evil);
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
        go("/ui/state");
        assertThat(page.locator(".cell")).containsText(evil);
        page.locator(".cell").click();
        assertThat(page.locator(".sentence")).containsText(evil);
        assertThat(page.locator(".change .key").first()).hasText("output." + evil);
        assertThat(page.locator(".change td.after").first()).hasText(evil);
        assertThat(page.locator("main img, main script")).hasCount(0);
        page.navigate(url("/ui/stack?name=" + "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&environment=%27"));
        assertThat(page.locator(".title h1")).containsText("<img src=x onerror=alert(1)>");
        assertThat(page.locator(".problem")).containsText("invalid-request");
        assertThat(page.locator("main img, main script")).hasCount(0);
    }

    @Test
    @DisplayName("without state the page has what fills it; a call that fails is not shown as none")
    void nothing() {
        serve();
        go("/ui/state");
        assertThat(page.locator(".empty pre")).containsText("backend \"http\"");
        assertThat(page.locator(".empty .command")).containsText("holdfast state push");
        axe("nothing");
        go("/ui/stack?name=shop&environment=prod");
        assertThat(page.locator(".empty pre")).containsText("/state/shop/prod");
        page.route(
                "**/state?*",
                route -> route.fulfill(
                        new Route.FulfillOptions()
                                .setStatus(503)
                                .setContentType("application/problem+json")
                                .setBody(
                                        "{\"code\":\"store-unavailable\",\"detail\":\"The store does not answer.\",\"request_id\":\"r-1\"}")));
        page.navigate(url("/ui/state"));
        assertThat(page.locator(".problem")).containsText("The store does not answer.");
        assertThat(page.locator(".problem")).containsText("store-unavailable · request r-1");
        assertThat(page.locator(".empty")).hasCount(0);
        page.unroute("**/state?*");
        page.getByText("Try again").click();
        assertThat(page.locator(".empty")).containsText("No state yet");
    }

    @Test
    @DisplayName("who may only read sees what changed, and is offered nothing that changes something")
    void reader() throws IOException {
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "auth:\n  tokens:\n    - {id: anna, sha256: \""
                        + Digest.of(TOKEN).hex() + "\", roles: {\"*\": [read, lock]}}\n");
        serve("--authentication.disabled=false");
        page.navigate(url("/ui/stack?name=shop&environment=prod"));
        page.locator("#token").fill(TOKEN);
        page.keyboard().press("Enter");
        assertThat(page.locator(".sentence")).containsText("Nothing has been saved here yet.");
        assertThat(page.getByText("Back up")).hasCount(0);
        assertThat(page.getByText("Force unlock…")).hasCount(0);
    }

    @Test
    @DisplayName("a dashboard that only reads offers nothing that changes something")
    void readOnly() {
        serve("--dashboard.read-only=true");
        StateRequests shop = state("shop", "prod");
        shop.save(terraform(1, ""));
        shop.save(terraform(2, ""));
        shop.lock(LOCK_ID, "ci@runner-7");
        go("/ui/stack?name=shop&environment=prod");
        page.locator(".versions .select").nth(1).click();
        assertThat(page.locator(".comparison")).containsText("the oldest version that is kept");
        assertThat(page.locator(".lockbox .holder")).containsText("ci@runner-7");
        assertThat(page.getByText("Restore serial 1…")).hasCount(0);
        assertThat(page.getByText("Back up")).hasCount(0);
        assertThat(page.getByText("Force unlock…")).hasCount(0);
        page.getByText("Verify").click();
        assertThat(page.locator(".result")).containsText("Checked");
    }
}
