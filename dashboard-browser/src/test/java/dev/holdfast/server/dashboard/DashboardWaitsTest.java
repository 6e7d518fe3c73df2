package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("the page of waits, in a browser")
class DashboardWaitsTest {

    private static Chromium chromium;
    private static HoldfastServer server;
    /** One name is one owner to the page, also across namespaces: each test has names of its own. */
    private static QueuedOwners owners;

    private Page page;

    @BeforeAll
    static void start() {
        chromium = Chromium.shared();
        server = HoldfastServer.start(options());
        owners = new QueuedOwners(server.engine());
    }

    private static ServerOptions options() {
        return ServerSetup.of(
                Settings.load(List.of("--server.port=0", "--store=memory:"), Map.of(), Path.of("no-such-directory")));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void page() {
        chromium.complaints().clear();
        page = chromium.wide();
    }

    @AfterEach
    void close() {
        page.context().close();
        assertThat(chromium.complaints()).isEmpty();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private void open(String path) {
        page.navigate(url(path));
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence")).not().hasText("Looking…");
    }

    private Locator rows() {
        return page.locator("[role=treeitem]");
    }

    /** The rows as they stand: how deep, and what they say first. */
    private List<String> outline() {
        List<String> lines = new ArrayList<>();
        for (Locator row : rows().all()) {
            String words = row.locator(".main")
                    .innerText()
                    .replace("▾", "")
                    .replaceAll("\\s+", " ")
                    .strip();
            lines.add(row.getAttribute("aria-level") + " " + words);
        }
        return lines;
    }

    @Test
    @DisplayName("says in a sentence who waits longest and for whom, and draws the queue from the holder on")
    void queue() {
        owners.ask("payments", "deploy", "anna");
        owners.ask("payments", "deploy", "ci-88");
        owners.ask("payments", "deploy", "ci-89");
        open("/ui/waits?namespace=payments");
        assertThat(page.locator("h1")).containsText("2 wait for 1 lock; longest: ci-88,");
        assertThat(page.locator("h1")).containsText("for payments:deploy held by anna.");
        assertThat(rows()).hasCount(4);
        assertThat(outline())
                .containsExactly("1 payments:deploy", "2 anna", "3 1 ci-88 for anna", "3 2 ci-89 behind ci-88");
        assertThat(rows().nth(2).locator(".time")).containsText("waits");
    }

    @Test
    @DisplayName("draws parts as the rules see them: a hold of a part blocks what contains it and what is in it")
    void paths() {
        owners.ask("infra", "eu", "db/main", Mode.EXCLUSIVE, "bob");
        owners.ask("infra", "eu", "web", Mode.EXCLUSIVE, "wanda"); // in nobody's way
        owners.ask("infra", "eu", "db", Mode.EXCLUSIVE, "carl");
        owners.ask("infra", "eu", "db/main/users", Mode.EXCLUSIVE, "dora");
        owners.ask("infra", "eu", "db/replica", Mode.EXCLUSIVE, "emil");
        open("/ui/waits?namespace=infra");
        assertThat(rows()).hasCount(5);
        assertThat(outline())
                .containsExactly(
                        "1 infra:eu",
                        "2 bob /db/main",
                        "3 1 carl /db for bob, who has /db/main in it",
                        "4 2 dora /db/main/users behind carl, who wants /db around it",
                        "4 3 emil /db/replica behind carl, who wants /db around it");
    }

    @Test
    @DisplayName("follows a chain across locks: who waits for somebody who waits is drawn behind it, once")
    void chain() {
        owners.ask("chain", "first", "alma");
        owners.ask("chain", "second", "bert");
        owners.ask("chain", "first", "bert");
        owners.ask("chain", "second", "cleo");
        open("/ui/waits?namespace=chain");
        assertThat(rows()).hasCount(6);
        assertThat(outline())
                .containsExactly(
                        "1 chain:first",
                        "2 alma",
                        "3 1 bert for alma",
                        "4 chain:second",
                        "5 bert waits itself for chain:first",
                        "6 1 cleo for bert");
    }

    @Test
    @DisplayName("shows a circle as one, with the next step; a lock in two trees is linked, not copied")
    void circle() {
        LeaseId red = owners.ask("circle", "one", "red");
        owners.ask("circle", "two", "blue");
        owners.ask("circle", "two", "red");
        owners.ask("circle", "one", "blue");
        open("/ui/waits?namespace=circle");
        assertThat(page.locator("h1")).containsText("2 owners wait for each other.");
        assertThat(page.locator(".circle li")).hasCount(2);
        assertThat(page.locator(".circle")).containsText("red waits for circle:two, held by blue");
        assertThat(page.locator(".circle")).containsText("Stop one of them, or open a lock and end the hold");
        assertThat(page.locator("[role=treeitem].lock")).hasCount(2);
        assertThat(page.locator(".wrow.link")).containsText("which is drawn above");
        page.locator(".wrow.link a").click();
        assertThat(rows().first()).isFocused();
        page.locator("h1").click(); // the tree holds still for as long as it has the focus
        page.evaluate("document.activeElement.blur()");
        owners.release("circle", "one", red);
        assertThat(page.locator(".circle")).hasCount(0);
    }

    @Test
    @DisplayName("judges who is in whose way as the server does, in many cases made by chance")
    void rules() {
        long seed = new Random().nextLong();
        Random chance = new Random(seed);
        List<Map<String, Object>> cases = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<Map<String, Object>> before = new ArrayList<>();
            for (int j = 0; j < 6; j++) {
                Scope scope = scope(chance);
                LeaseId lease = owners.ask("chance", "lock-" + i, scope, "owner-" + i + "-" + j);
                boolean granted = owners.holds("chance", "lock-" + i, lease);
                cases.add(Map.of("wanted", wanted(scope), "others", List.copyOf(before), "granted", granted));
                before.add(wanted(scope));
            }
        }
        open("/ui/waits?namespace=none");
        Object wrong = page.evaluate(
                "async cases => { const file = performance.getEntriesByType('resource').map(it => it.name)"
                        + ".find(it => it.endsWith('/waits-graph.js')); const {inTheWay} = await import(file);"
                        + " return cases.filter(it => (inTheWay(it.wanted, it.others).length === 0) !== it.granted) }",
                cases);
        assertThat((List<?>) wrong).as("seed %s", seed).isEmpty();
        assertThat(cases).extracting(it -> it.get("granted")).contains(true, false);
    }

    private static Scope scope(Random chance) {
        Mode mode = List.of(Mode.EXCLUSIVE, Mode.SHARED, Mode.permit(2), Mode.permit(3))
                .get(chance.nextInt(4));
        List<List<String>> paths = List.of(
                List.of(""),
                List.of("a"),
                List.of("a/b"),
                List.of("a/bc"),
                List.of("a/b/c"),
                List.of("a/b", "d"),
                List.of("d"));
        return new Scope(
                paths.get(chance.nextInt(paths.size())).stream()
                        .map(LockPath::of)
                        .toList(),
                mode);
    }

    private static Map<String, Object> wanted(Scope scope) {
        List<String> paths = scope.paths().stream().map(LockPath::value).toList();
        return Map.of(
                "path",
                paths.get(0),
                "paths",
                paths,
                "mode",
                scope.mode().label(),
                "limit",
                scope.mode().limit());
    }

    @Test
    @DisplayName("filters by namespace and owner, both in the address; nothing left over is said, with the way back")
    void filters() {
        owners.ask("filters", "x", "xenia");
        owners.ask("filters", "x", "yves");
        open("/ui/waits?owner=YVE");
        assertThat(rows()).hasCount(3);
        page.locator("hf-waits select").selectOption("filters");
        assertThat(page).hasURL(url("/ui/waits?owner=YVE&namespace=filters"));
        page.locator("hf-waits input[type=search]").fill("nobody at all");
        assertThat(page.locator(".empty")).containsText("No waiter matches");
        page.locator(".empty").getByText("Show all").click();
        assertThat(page).hasURL(url("/ui/waits"));
        assertThat(page.locator(".waits")).containsText("yves");
    }

    @Test
    @DisplayName("holds still under pointer and focus: rows say what became of them, and the reader lets changes in")
    void still() {
        LeaseId first = owners.ask("still", "x", "uma");
        owners.ask("still", "x", "vera");
        owners.ask("still", "x", "will");
        open("/ui/waits?namespace=still");
        rows().nth(2).hover();
        owners.release("still", "x", first);
        assertThat(rows().nth(1)).containsText("uma no longer holds it");
        assertThat(rows().nth(2)).containsText("vera has it now");
        assertThat(rows()).hasCount(4);
        assertThat(page.locator(".fresh")).containsText("Waits have changed");
        page.keyboard().press(".");
        assertThat(rows()).hasCount(3);
        assertThat(rows().nth(1)).containsText("vera");
        assertThat(page.locator(".fresh")).hasCount(0);
    }

    @Test
    @DisplayName("comes alive by itself when somebody begins to wait")
    void live() {
        owners.ask("live", "x", "nina");
        open("/ui/waits?namespace=live");
        assertThat(page.locator("h1")).hasText("No waiter matches.");
        owners.ask("live", "x", "otto");
        assertThat(rows()).hasCount(3);
        assertThat(page.locator("h1")).containsText("One waits: otto");
    }

    @Test
    @DisplayName("is a tree for the keyboard: arrows go and fold, Home and End, Enter opens the lock")
    void keyboard() {
        owners.ask("keys", "x", "kim");
        owners.ask("keys", "x", "lea");
        open("/ui/waits?namespace=keys");
        page.keyboard().press("j");
        assertThat(rows().nth(0)).isFocused();
        page.keyboard().press("ArrowDown");
        assertThat(rows().nth(1)).isFocused();
        page.keyboard().press("End");
        assertThat(rows().nth(2)).isFocused();
        page.keyboard().press("ArrowLeft");
        assertThat(rows().nth(1)).isFocused();
        page.keyboard().press("Home");
        page.keyboard().press("ArrowLeft");
        assertThat(rows()).hasCount(1);
        assertThat(rows().first()).hasAttribute("aria-expanded", "false");
        page.keyboard().press("ArrowRight");
        assertThat(rows()).hasCount(3);
        page.keyboard().press("ArrowRight");
        assertThat(rows().nth(1)).isFocused();
        assertThat(page.locator("[role=treeitem][tabindex='0']")).hasCount(1);
        page.keyboard().press("Enter");
        assertThat(page.locator(".title h1")).hasText("keys:x");
        page.goBack();
        assertThat(rows()).hasCount(3);
    }

    @Test
    @DisplayName("names of strangers are text")
    void hostile() {
        String hostile = "<img src=x onerror=alert(1)>'\"${7*7}<script>alert(2)</script>";
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
        owners.ask("evil", hostile, hostile);
        owners.ask("evil", hostile, "second" + hostile);
        open("/ui/waits?namespace=evil");
        assertThat(page.locator("h1")).containsText("second" + hostile);
        assertThat(rows()).hasCount(3);
        assertThat(rows().nth(1)).containsText(hostile);
        assertThat(page.locator("main img, main script")).hasCount(0);
    }

    @Test
    @DisplayName("an estimate says that it is one, and a hold that takes longer than the last ones is called so")
    void estimate() {
        for (int i = 0; i < 6; i++) {
            owners.release("usual", "x", owners.ask("usual", "x", "quick"));
        }
        owners.ask("usual", "x", "slow");
        owners.ask("usual", "x", "next");
        open("/ui/waits?namespace=usual");
        Locator turn = rows().nth(2).locator(".rest-of .soft");
        assertThat(turn).hasText("later than usual");
        assertThat(turn.getAttribute("title")).startsWith("An estimate: the median of the last 6 times is");
    }

    @Test
    @DisplayName("locks that cannot be read are not shown as nobody waiting")
    void failing() {
        page.route(
                "**/v2/locks?*",
                route -> route.fulfill(
                        new com.microsoft.playwright.Route.FulfillOptions()
                                .setStatus(503)
                                .setContentType("application/problem+json")
                                .setBody(
                                        "{\"code\":\"store-unavailable\",\"detail\":\"The store is gone.\",\"request_id\":\"r-7\"}")));
        page.navigate(url("/ui/waits"));
        assertThat(page.locator(".problem")).containsText("Locks cannot be read. The store is gone.");
        assertThat(page.locator(".problem")).containsText("store-unavailable · request r-7");
        assertThat(page.locator(".empty")).hasCount(0);
    }

    @Test
    @DisplayName("where nobody waits it says so, with the command that changes it")
    void empty() {
        try (HoldfastServer quiet = HoldfastServer.start(options())) {
            page.navigate("http://127.0.0.1:" + quiet.port() + "/ui/waits");
            assertThat(page.locator("h1")).hasText("Nobody waits for a lock.");
            assertThat(page.locator(".empty code")).containsText("holdfast exec --server http://127.0.0.1:");
            assertThat(page.locator(".empty code")).containsText("--wait 10m");
            assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        }
    }

    @TestFactory
    @DisplayName("light and dark, wide and narrow: no violation of WCAG, nothing wider than the window, nothing moves")
    Stream<DynamicTest> accessible() {
        owners.ask("look", "deploy", "ada");
        owners.ask("look", "deploy", "ci-run-88");
        owners.ask("look", "a-very-long-name-that-has-no-place-to-break".repeat(3), "ci-run-88");
        owners.ask("look", "a-very-long-name-that-has-no-place-to-break".repeat(3), "x".repeat(120));
        owners.ask("look", "eu", "db/main", Mode.SHARED, "bea");
        owners.ask("look", "eu", "db", Mode.EXCLUSIVE, "cora");
        owners.ask("look", "ring", "cyan");
        owners.ask("look", "ring2", "pink");
        owners.ask("look", "ring", "pink");
        owners.ask("look", "ring2", "cyan");
        return Look.each(Stream.of("waits"), DashboardWaitsTest::check);
    }

    private static void check(String name, Look look) {
        Page one = look.page(chromium);
        one.navigate(url("/ui/waits?namespace=look"));
        one.locator("[role=treeitem]").first().waitFor();
        assertThat(one.locator(".live.live")).hasText("live");
        Chromium.assertStill(one);
        look.picture(one, name);
        look.assertAccessible(one);
        one.context().close();
    }
}
