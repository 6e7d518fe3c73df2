package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

@DisplayName("The guard, in a browser")
class DashboardGuardTest {
    private static final Path PICTURES = Path.of("target/dashboard");
    private static final String HOSTILE = "<img src=x onerror=alert(1)>'\"${7*7}<script>alert(2)</script>";
    private static final String READER = "hf_reader-0123456789";
    private static final String OWNER = "hf_owner-0123456789";
    private static final String ADMIN = "hf_admin-0123456789";
    private static final Pattern LEFT = Pattern.compile("(\\d+):(\\d\\d) left");

    private static final String CONTENT = "/ui/resource?id=i-content";
    private static final Map<String, String> PAGES = Map.of("guard", "/ui/guard", "resource", CONTENT);

    @TempDir
    private static Path directory;

    private static Chromium chromium;
    private static GuardedWorld world;
    private static HoldfastServer server;
    private Page page;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.shared();
        world = GuardedWorld.start(HOSTILE);
        Files.writeString(directory.resolve("holdfast.yaml"), world.actuators());
        server = serve(directory);
        int port = server.port();
        world.register(port, "shop", 200, "i-orders", "machines");
        world.register(port, "checkout", 200, "i-orders", "machines");
        world.register(port, "crm", 503, "i-orders", "machines");
        world.register(port, "blog", 503, "i-content", "machines");
        world.register(port, "wiki", 503, "i-content", "machines");
        world.register(port, "search", 503, "i-search", "broken");
        world.register(port, "sessions", 503, "i-sessions", "machines");
        GuardedWorld.register(
                port, "intranet", GuardedWorld.NOWHERE, GuardedWorld.use("\"instance_id\":\"i-sessions\"", "machines"));
        GuardedWorld.register(port, "landing", GuardedWorld.NOWHERE, "");
        for (String app : List.of("crm", "blog", "search", "sessions")) {
            GuardedWorld.stop(port, app);
        }
    }

    private static HoldfastServer serve(Path home, String... flags) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--store=memory:",
                "--guard.interval=500ms",
                "--guard.confirmation-pause=20ms",
                "--guard.lock-backoff=20ms"));
        all.addAll(List.of(flags));
        return HoldfastServer.start(ServerSetup.of(Settings.load(all, Map.of(), home)));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (world != null) {
            world.close();
        }
    }

    @BeforeEach
    void open() {
        chromium.complaints().clear();
        page = chromium.wide();
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
    }

    @AfterEach
    void shut() {
        page.context().close();
        assertThat(chromium.complaints()).isEmpty();
    }

    private void open(String path) {
        open(page, server, path);
    }

    private static void open(Page page, HoldfastServer server, String path) {
        page.navigate("http://127.0.0.1:" + server.port() + path);
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence")).not().hasText("Looking…");
    }

    private Locator row(String database) {
        return page.locator("table.guard tbody tr", new Page.LocatorOptions().setHasText(database));
    }

    @Test
    @DisplayName(
            "says in a sentence how it stands; each database tells who uses it, what happens, and what it waits for")
    void overview() {
        open("/ui/guard");
        Locator sentence = page.locator("h1.sentence");
        assertThat(sentence).containsText("databases, ");
        assertThat(sentence).containsText("to be stopped and wait for");
        assertThat(sentence).containsText("i-search could not be stopped.");
        assertThat(row("i-orders")).containsText("Keeps running for checkout and shop");
        assertThat(row("i-orders")).containsText("Asked by crm");
        assertThat(row("i-sessions")).containsText("nobody can say whether intranet needs it");
        assertThat(row("i-content")).containsText("Will be stopped when wiki has been down for 5m:");
        Locator look = page.locator(".look");
        assertThat(look.locator("li").first()).containsText("i-search could not be stopped"); // what fails comes first
        assertThat(look).containsText("Repair what actuator broken calls");
        assertThat(look).containsText("holdfast guard apps rm intranet");
        assertThat(page.locator("#without ~ p")).containsText("landing is registered and uses no database");
    }

    @Test
    @DisplayName("the last answers are squares that say when and what; down on purpose looks another way")
    void squares() {
        open("/ui/guard");
        Locator users = row("i-orders").locator("li");
        assertThat(users.nth(0).locator("svg.squares rect.up").first()).isVisible();
        assertThat(users.nth(0).locator("svg.squares rect.up title").first()).containsText(": up (200)");
        assertThat(users.nth(0).locator("svg.squares"))
                .hasAttribute("aria-label", Pattern.compile("answers? of checkout: \\d+ up; the latest up \\(200\\)"));
        assertThat(users.nth(1).locator("svg.squares.asked rect.down").first()).isVisible();
        assertThat(row("i-content").locator("svg.squares:not(.asked) rect.down").first())
                .isVisible();
        assertThat(row("i-sessions").locator("rect.refused").first()).isVisible();
        int before = users.nth(0).locator("rect").count();
        page.waitForCondition(() -> users.nth(0).locator("rect").count() > before
                || users.nth(0).locator("rect").count() == 16);
    }

    @Test
    @DisplayName("what is left until a stop counts down")
    void countdown() {
        open(CONTENT);
        int first = left();
        assertThat(first).isBetween(1, 300);
        page.waitForCondition(() -> left() < first);
        assertThat(page.locator(".stopbar hf-lease-bar")).isVisible();
        Number filled = (Number) page.locator(".stopbar hf-lease-bar > span")
                .evaluate("it => it.getBoundingClientRect().width / it.parentElement.getBoundingClientRect().width");
        assertThat(filled.doubleValue())
                .as("how much of the bar is filled")
                .isBetween(first / 300.0 - 0.2, first / 300.0 + 0.05);
        assertThat(page.locator(".card.user", new Page.LocatorOptions().setHasText("wiki")))
                .containsText("counts as down in");
    }

    private int left() {
        var found = LEFT.matcher(page.locator("p.sentence").textContent());
        assertThat(found.find()).as(page.locator("p.sentence").textContent()).isTrue();
        return Integer.parseInt(found.group(1)) * 60 + Integer.parseInt(found.group(2));
    }

    @Test
    @DisplayName("search and filters are in the address")
    void search() {
        open("/ui/guard?q=wiki");
        assertThat(page.locator("table.guard tbody tr")).hasCount(1);
        page.locator("hf-guard input[type=search]").fill("nothing like it");
        assertThat(page.locator(".empty")).containsText("No database matches");
        page.locator("hf-guard input[type=search]").fill("");
        page.locator(".chip", new Page.LocatorOptions().setHasText("Failing")).click();
        assertThat(page.locator("table.guard tbody tr")).hasCount(1);
        assertThat(page.locator("table.guard tbody tr")).containsText("i-search");
        assertThat(page.url()).endsWith("/ui/guard?show=failing");
    }

    @Test
    @DisplayName("a database: who shares it, who asked, its lock, and each decision with evidence, rule and actuator")
    void resource() {
        open("/ui/resource?id=i-orders");
        assertThat(page.locator("p.sentence")).containsText("checkout, crm and shop share it. ");
        assertThat(page.locator("p.sentence")).containsText("keeps running for checkout and shop");
        Locator shop = page.locator(".card.user", new Page.LocatorOptions().setHasText("shop"));
        assertThat(shop).containsText("Up (200), for");
        assertThat(shop).containsText("It needs this database");
        assertThat(page.locator(".card.user", new Page.LocatorOptions().setHasText("crm")))
                .containsText("asked to stop");
        assertThat(page.locator("#intents ~ .queue")).containsText("crm");
        Locator decision = page.locator(".decision").first();
        assertThat(decision).containsText("Keeps running: checkout and shop need it");
        assertThat(decision).containsText("One app that needs it is enough to keep it.");
        assertThat(decision.locator(".evidence tbody tr")).hasCount(3);
        assertThat(decision.locator(".evidence tbody tr").nth(2)).containsText("answers 200");
        assertThat(decision.locator(".evidence tbody tr").nth(2)).containsText("needs it");
        page.locator(".facts a.key").click();
        assertThat(page.locator(".title h1")).hasText("guard:LOCK#DB#i-orders");
    }

    @Test
    @DisplayName("a decision that is made again and again stays unfolded when the first times are no longer kept")
    void staysOpen() {
        open("/ui/resource?id=i-orders");
        Object keys = page.evaluate("async () => {"
                + " const file = performance.getEntriesByType('resource').map(it => it.name)"
                + ".find(it => it.endsWith('/guard-parts.js')); const {folded} = await import(file);"
                + " const made = (at, reason) => ({decided_at: `t${at}`, decision: 'failed', app: 'a', reason});"
                + " const then = [made(4, 'new'), made(3, 'old'), made(2, 'old'), made(1, 'old')];"
                + " const now = [made(6, 'new'), made(5, 'new'), made(4, 'new'), made(3, 'old')];" // two more, two
                // forgotten
                + " return [then, now].map(all => folded(all).map(({key}) => key).join(' ')); }");
        assertThat(keys).isEqualTo(List.of("t4 oldest", "t4 oldest"));
    }

    @Test
    @DisplayName("an actuator that fails is shown as failing, in its own words, as text")
    void failing() {
        open("/ui/resource?id=i-search");
        assertThat(page.locator("p.sentence")).containsText("It could not be stopped; it is tried again");
        assertThat(page.locator(".problem")).containsText(HOSTILE);
        assertThat(page.locator(".decision.bad").first()).containsText("failed: the webhook refused to stop");
        assertThat(page.locator(".decision.bad").first()).containsText("times since");
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        open("/ui/guard");
        assertThat(page.locator(".look")).containsText(HOSTILE);
        open("/ui/resource?id=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "This database cannot be read.");
        assertThat(page.locator(".title h1")).hasText("<img src=x onerror=alert(1)>");
        assertThat(page.locator("main img, main script")).hasCount(0);
    }

    private void open(String path, String problem) {
        page.navigate("http://127.0.0.1:" + server.port() + path);
        assertThat(page.locator(".problem")).containsText(problem);
    }

    @Test
    @DisplayName("what if: a dry run from click to answer, in sentences and a table, which changes nothing")
    void dryRun() {
        open("/ui/guard?q=i-orders");
        page.getByLabel("What if shop stops?").click();
        Locator dialog = page.locator("dialog.ask");
        assertThat(dialog.locator(".verdict"))
                .hasText("Its database would not be stopped now, but once nobody needs it.");
        assertThat(dialog.locator(".answered")).containsText("would keep running: checkout needs it");
        assertThat(dialog.locator(".evidence tbody tr")).hasCount(3);
        assertThat(dialog.locator(".evidence")).containsText("has not stopped yet");
        assertThat(dialog.getByText("Stop what shop uses")).isDisabled();
        dialog.locator("#ask-name").fill("checkout");
        assertThat(dialog.getByText("Stop what shop uses")).isDisabled(); // another name confirms nothing
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("guard-whatif.png")));
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        page.keyboard().press("Escape");
        assertThat(row("i-orders")).containsText("Keeps running for checkout and shop");
    }

    @Test
    @DisplayName("an answer that comes late is not told in the dialog about another app")
    void lateAnswer() {
        open("/ui/guard?q=i-orders");
        List<Route> held = new ArrayList<>();
        page.route("**/api/guard/apps/shop/stop", held::add);
        page.getByLabel("What if shop stops?").click();
        Locator dialog = page.locator("dialog.ask");
        assertThat(dialog).containsText("Asking…");
        page.waitForCondition(() -> held.size() == 1);
        page.keyboard().press("Escape");
        page.getByLabel("What if checkout stops?").click();
        assertThat(dialog.locator("h2")).hasText("What if checkout stops?");
        assertThat(dialog.locator(".answered")).containsText("shop needs it");
        Response late =
                page.waitForResponse("**/apps/shop/stop", () -> held.get(0).resume());
        assertThat(late.text()).contains("checkout");
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertThat(dialog.locator(".answered")).containsText("shop needs it");
    }

    @Test
    @DisplayName("a real stop from click to effect, and the start that takes it back")
    void stopAndStart() {
        world.register(server.port(), "solo", 503, "i-solo", "machines");
        open("/ui/resource?id=i-solo");
        assertThat(page.locator("p.sentence")).containsText("Only solo uses it.");
        page.getByText("Stop…").click();
        Locator dialog = page.locator("dialog.ask");
        assertThat(dialog.locator(".verdict")).hasText("Its database would be stopped.");
        assertThat(world.state("i-solo")).isEqualTo("running");
        dialog.locator("#ask-name").fill("solo");
        dialog.getByText("Stop what solo uses").click();
        assertThat(dialog.locator(".verdict")).hasText("Its database is stopped.");
        assertThat(dialog.locator(".answered")).containsText("i-solo was stopped");
        assertThat(world.state("i-solo")).isEqualTo("stopped");
        dialog.getByText("Close").click();
        assertThat(page.locator("p.sentence")).containsText("It is stopped: no app needs it.");
        assertThat(page.locator(".decision").first()).containsText("Was stopped");

        page.getByText("Start…").click();
        assertThat(dialog.locator("h2")).hasText("What if solo starts?");
        dialog.getByText("Start what solo uses").click();
        assertThat(dialog.locator(".verdict")).containsText("The app may be started.");
        assertThat(world.state("i-solo")).isEqualTo("running");
        dialog.getByText("Close").click();
        assertThat(page.locator("p.sentence")).containsText("It is running");
    }

    @Test
    @DisplayName("a stopped database that an app needs again comes first, with the way to start it")
    void needed() {
        world.register(server.port(), "nightly", 503, "i-nightly", "machines");
        GuardedWorld.stop(server.port(), "nightly");
        open("/ui/guard?q=i-nightly");
        assertThat(row("i-nightly")).containsText("Is stopped: no app needs it");
        world.answers("nightly", 200);
        assertThat(page.locator(".look")).containsText("i-nightly is stopped, but nightly needs it.");
        assertThat(page.locator("h1.sentence")).containsText("i-nightly is stopped although needed.");
        page.getByText("Start what nightly uses…").click();
        page.locator("dialog.ask").getByText("Start what nightly uses").click();
        assertThat(page.locator("dialog.ask .verdict")).containsText("The app may be started.");
        page.locator("dialog.ask").getByText("Close").click();
        assertThat(row("i-nightly")).containsText("Nobody asked to stop it");
        assertThat(page.locator(".look", new Page.LocatorOptions().setHasText("i-nightly")))
                .hasCount(0);
    }

    @Test
    @DisplayName("with keys alone: there, search, ask, confirm, stop, close")
    void keyboard() {
        world.register(server.port(), "keys", 503, "i-keys", "machines");
        open("/");
        page.keyboard().press("g");
        page.keyboard().press("u");
        assertThat(page.locator("table.guard")).isVisible();
        page.keyboard().press("f");
        page.keyboard().type("i-keys");
        assertThat(page.locator("table.guard tbody tr")).hasCount(1);
        tabTo("What if keys stops?");
        page.keyboard().press("Enter");
        Locator dialog = page.locator("dialog.ask");
        assertThat(dialog.locator("#ask-name")).isFocused();
        page.keyboard().type("keys");
        page.keyboard().press("Enter");
        assertThat(dialog.locator(".verdict")).hasText("Its database is stopped.");
        assertThat(dialog.getByText("Close")).isFocused();
        page.keyboard().press("Enter");
        assertThat(dialog).isHidden();
        assertThat(page.getByLabel("What if keys stops?")).isFocused();
        assertThat(world.state("i-keys")).isEqualTo("stopped");
    }

    private void tabTo(String label) {
        for (int i = 0; i < 12; i++) {
            page.keyboard().press("Tab");
            if (label.equals(page.evaluate("document.activeElement.getAttribute('aria-label')"))) {
                return;
            }
        }
        throw new AssertionError("no key leads to " + label);
    }

    @Test
    @DisplayName("one database under two names is told, and leads to the other")
    void twoNames() throws IOException {
        InetAddress machine = InetAddress.getLocalHost();
        assumeTrue(
                !machine.getHostName().equals("localhost")
                        && !machine.getHostName().equals(machine.getHostAddress()),
                "two names are not tried: this machine has only one");
        String name = machine.getHostName().toLowerCase(Locale.ROOT) + ":5499";
        register("first", name);
        register("second", machine.getHostAddress() + ":5499");
        open("/ui/guard?q=" + name);
        assertThat(page.locator(".look")).containsText("they count together");
        row(name).locator("a.key").click();
        assertThat(page.locator(".problem")).containsText("Registered under two names.");
        page.locator(".problem a.key").click();
        assertThat(page.locator(".title h1")).not().hasText(name);
        assertThat(page.locator(".card.user")).hasCount(2); // they count together
    }

    private static void register(String app, String host) {
        GuardedWorld.register(
                server.port(), app, GuardedWorld.NOWHERE, GuardedWorld.use("\"host\":\"" + host + "\"", "log"));
    }

    @Test
    @DisplayName("decisions have pages: those that are kept, then those in the history of the lock")
    void pagesOfDecisions() {
        int port = server.port();
        world.register(port, "often", 503, "i-often", "log");
        for (int i = 0; i < 16; i++) {
            GuardedWorld.stop(port, "often");
            GuardedWorld.start(port, "often");
        }
        open("/ui/resource?id=i-often");
        assertThat(page.locator(".title")).containsText("i-often");
        assertThat(page.locator(".facts").first()).containsText("only records: nothing is really stopped or started");
        assertThat(page.locator(".decision")).hasCount(8);
        page.getByText("Show more").click();
        assertThat(page.locator(".decision")).hasCount(16);
        for (int i = 0; i < 20 && page.getByText("Show more").count() > 0; i++) {
            page.getByText("Show more").click();
            page.waitForTimeout(50);
        }
        assertThat(page.getByText("That is all that is kept.")).isVisible();
        assertThat(page.locator("ol.events li").first()).containsText("decided about");
    }

    @Test
    @DisplayName(
            "nothing registered: the command that changes that; then many: few rows are drawn, and the rest on demand")
    void emptyAndMany() {
        try (HoldfastServer fresh = serve(Path.of("no-such-directory"))) {
            open(page, fresh, "/ui/guard");
            assertThat(page.locator(".empty")).containsText("holdfast guard apps import");
            String many = IntStream.range(0, 300)
                    .mapToObj(i -> "{\"app\":\"app-" + i + "\",\"url\":\"" + GuardedWorld.NOWHERE + "\",\"databases\":["
                            + GuardedWorld.use("\"instance_id\":\"i-" + i + "\"", "log") + "]}")
                    .collect(Collectors.joining(","));
            GuardedWorld.send(fresh.port(), "PUT", "/api/guard/apps", "{\"apps\":[" + many + "]}");
            assertThat(page.locator("h1.sentence"))
                    .hasText(Pattern.compile("300 databases, and nobody asked to stop any\\.\\s+Nothing failed\\."));
            assertThat(page.locator("table.guard tbody tr")).hasCount(40);
            page.getByText("Show more (260)").click();
            assertThat(page.locator("table.guard tbody tr")).hasCount(80);
            assertThat(page.locator(".g-apps").first()).containsText("no answers seen");
        }
    }

    @Test
    @DisplayName("a guard that cannot be asked is never shown as empty; what was read before is called old")
    void failingCall() {
        try (HoldfastServer off = serve(Path.of("no-such-directory"), "--guard.enabled=false")) {
            page.navigate("http://127.0.0.1:" + off.port() + "/ui/guard");
            assertThat(page.locator(".problem")).containsText("The guard cannot be reached.");
            assertThat(page.locator(".problem")).containsText("guard-off");
            assertThat(page.locator(".empty")).hasCount(0);
        }
        open("/ui/guard");
        page.route("**/api/guard/**", Route::abort);
        assertThat(page.locator(".problem")).containsText("What is shown is old.");
        assertThat(row("i-orders")).isVisible();
        page.getByLabel("What if shop stops?").click();
        assertThat(page.locator("dialog.ask .problem")).containsText("This cannot be determined now.");
        assertThat(page.locator("#ask-name")).hasCount(0);
    }

    @Test
    @DisplayName("who only reads sees everything and no act; a dashboard that only reads offers the dry run alone")
    void roles() throws IOException {
        Path home = Files.createDirectory(directory.resolve("roles"));
        Files.writeString(
                home.resolve("holdfast.yaml"),
                "auth:\n  tokens:\n    - {id: ruth, sha256: \""
                        + Digest.of(READER).hex() + "\", roles: {guard: [read]}}\n    - {id: gus, sha256: \""
                        + Digest.of(OWNER).hex() + "\", roles: {guard/own-*: [guard], guard: [read]}}\n"
                        + "    - {id: ops, sha256: \"" + Digest.of(ADMIN).hex() + "\", roles: {\"*\": [admin]}}\n");
        try (HoldfastServer asking = serve(home)) {
            for (String app : List.of("own-app", "other-app")) {
                String body = "{\"url\":\"" + GuardedWorld.NOWHERE + "\",\"databases\":["
                        + GuardedWorld.use("\"instance_id\":\"i-own\"", "log") + "]}";
                GuardedWorld.send(asking.port(), "PUT", "/api/guard/apps/" + app, body, ADMIN);
            }
            page.navigate("http://127.0.0.1:" + asking.port() + "/ui/guard");
            signIn(READER);
            assertThat(row("i-own").locator("li")).hasCount(2);
            assertThat(page.locator("table.guard button")).hasCount(0);
            row("i-own").locator("a.key").click();
            assertThat(page.locator(".card.user")).hasCount(2);
            assertThat(page.locator(".card.user button")).hasCount(2); // to look, which is reading
            assertThat(page.getByText("Look now")).hasCount(2);
            page.getByText("Sign out").click();
            signIn(OWNER);
            assertThat(page.locator(".card.user", new Page.LocatorOptions().setHasText("own-app")))
                    .containsText("Stop…");
            assertThat(page.locator(".card.user", new Page.LocatorOptions().setHasText("other-app")))
                    .not()
                    .containsText("Stop…");
        }
        try (HoldfastServer readOnly = serve(Path.of("no-such-directory"), "--dashboard.read-only=true")) {
            world.register(readOnly.port(), "own-app", 503, "i-own", "log");
            open(page, readOnly, "/ui/resource?id=i-own");
            assertThat(page.getByText("Start…")).hasCount(0);
            page.getByText("What if…").click();
            assertThat(page.locator("dialog.ask .verdict")).hasText("Its database would be stopped.");
            assertThat(page.locator("#ask-name")).hasCount(0);
            assertThat(page.locator("dialog.ask")).containsText("holdfast guard stop own-app");
        }
    }

    @Test
    @DisplayName("in shadow mode what if says that nothing would be stopped, and why, not that it waits for an app")
    void shadow() {
        try (HoldfastServer shadow = serve(Path.of("no-such-directory"), "--controller.shared_db_lock_enabled=false")) {
            world.register(shadow.port(), "own-app", 503, "i-own", "log");
            open(page, shadow, "/ui/resource?id=i-own");
            page.getByText("Stop…").click();
            Locator dialog = page.locator("dialog.ask");
            assertThat(dialog.locator(".verdict")).hasText("Its database would not be stopped now.");
            assertThat(dialog.locator(".answered")).containsText("Shadow mode (shared_db_lock_enabled is false)");
            dialog.locator("#ask-name").fill("own-app");
            dialog.getByText("Stop what own-app uses").click();
            assertThat(dialog.locator(".verdict")).hasText("Its database is not stopped now.");
            assertThat(dialog.locator(".answered")).containsText("Shadow mode (shared_db_lock_enabled is false)");
        }
    }

    private void signIn(String token) {
        page.locator("#token").fill(token);
        page.keyboard().press("Enter");
    }

    @TestFactory
    @DisplayName("each page, light and dark, wide and narrow: no violation of WCAG, nothing wider than the window")
    Stream<DynamicTest> accessible() {
        return Look.each(PAGES.keySet().stream(), DashboardGuardTest::check);
    }

    private static void check(String name, Look look) {
        Page page = look.page(chromium);
        open(page, server, PAGES.get(name));
        Chromium.assertStill(page);
        look.picture(page, name);
        look.assertAccessible(page);
        page.context().close();
    }
}
