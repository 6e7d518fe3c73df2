package dev.holdfast.server.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

@DisplayName("the page of settings, in a browser")
class DashboardSettingsTest {
    private static final Path PICTURES = Path.of("target/dashboard");
    private static final String ANNA = "hf_anna-0123456789";
    private static final String BERT = "hf_bert-0123456789";
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final String SECRET = "ma5rk3r";

    @TempDir
    private static Path directory;

    private static Chromium chromium;
    private static HoldfastServer server;
    private Page page;

    @BeforeAll
    static void start() throws IOException {
        chromium = Chromium.shared();
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "server:\n  node: \"" + HOSTILE + "\"\n"
                        + "tracing.endpoint: https://traces.invalid/?token=" + SECRET + "\n"
                        + "tracing.sample-ratio: 0\n"
                        + "auth:\n  tokens:\n" + token("anna", ANNA, "{\"*\": [admin]}, group: platform")
                        + token(
                                "bert",
                                BERT,
                                "{billing: [read, lock], \"deploy/shop/*\": [state], \"evil/" + HOSTILE
                                        + "*\": [read]}"));
        server = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--server.port=0", "--store=memory:"), Map.of("LOGGING_LEVEL", "warn"), directory)));
    }

    private static String token(String id, String secret, String roles) {
        return "    - {id: " + id + ", sha256: \"" + Digest.of(secret).hex() + "\", roles: " + roles + "}\n";
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
        page.onDialog(dialog -> chromium.complaints().add("a script ran: " + dialog.message()));
    }

    @AfterEach
    void close() {
        page.context().close();
        assertThat(chromium.complaints()).isEmpty();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static void open(Page page, String path, String token) {
        page.navigate(url(path));
        page.locator("#token").fill(token);
        page.keyboard().press("Enter");
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page.locator(".sentence")).not().hasText("Looking…");
    }

    @Test
    @DisplayName("says who one is, what answers, and the configuration with its origins, what differs first")
    void admin() {
        open(page, "/ui/settings", ANNA);
        assertThat(page.locator("h1"))
                .containsText("You are anna, known by an API token, of the group platform. You may do everything");
        Locator facts = page.locator("dl.facts");
        assertThat(facts).containsText(HOSTILE);
        assertThat(facts).containsText("Memory answers in");
        assertThat(facts).containsText(Runtime.version().toString());
        assertThat(facts).containsText("This is the only one");
        assertThat(page.locator(".filters [role=status]")).containsText("7 of");
        Locator level =
                page.locator(".config .changed").filter(new Locator.FilterOptions().setHasText("logging.level"));
        assertThat(level).containsText("warn");
        assertThat(level).containsText("environment LOGGING_LEVEL, default info");
        Locator node = page.locator(".config .changed").filter(new Locator.FilterOptions().setHasText("server.node"));
        assertThat(node).containsText("holdfast.yaml:2");
        assertThat(page.locator(".config .changed").filter(new Locator.FilterOptions().setHasText("tracing.endpoint")))
                .containsText("token=***");
        assertThat(page.content()).doesNotContain(SECRET);
        assertThat(page.locator("main img, main script")).hasCount(0);
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(PICTURES.resolve("settings.png"))
                .setFullPage(true));
    }

    @Test
    @DisplayName("finds settings by name, value, origin and purpose; the search is in the address")
    void search() {
        open(page, "/ui/settings", ANNA);
        assertThat(page.locator("details.usual")).not().hasAttribute("open", "");
        page.locator("hf-settings input[type=search]").fill("stale terraform");
        assertThat(page).hasURL(url("/ui/settings?q=stale+terraform"));
        assertThat(page.locator(".config li").first()).containsText("state.");
        assertThat(page.locator("details.usual")).hasAttribute("open", "");
        page.locator("hf-settings input[type=search]").fill("no such thing");
        assertThat(page.locator("hf-settings")).containsText("No setting matches.");
        page.getByText("Show all").click();
        assertThat(page.locator("hf-settings input[type=search]")).hasValue("");
    }

    @Test
    @DisplayName("who is no admin sees what one may do, place by place, and is told why the rest is not there")
    void others() {
        page.onRequest(request -> {
            if (request.url().contains("/v2/settings") || request.url().contains("/v2/tokens")) {
                chromium.complaints().add("asked for " + request.url());
            }
        });
        open(page, "/ui/settings", BERT);
        assertThat(page.locator("h1")).containsText("You have roles in 3 places.");
        Locator may = page.locator(".may-list li");
        assertThat(may).hasCount(3);
        assertThat(may.nth(0)).containsText("read, lock: may take, renew and give back locks, in namespace billing");
        assertThat(may.nth(1)).containsText("for stack shop in all environments");
        assertThat(may.nth(2)).containsText("whose name begins with " + HOSTILE);
        assertThat(page.locator("hf-settings"))
                .containsText("only those who are admin in all namespaces see it; bert is not");
        assertThat(page.locator("dl.facts")).containsText("Running for");
        assertThat(page.locator("hf-tokens")).hasCount(0);
        assertThat(page.locator("main img")).hasCount(0);
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
    }

    @Test
    @DisplayName("an admin makes a token, sees it once, and revokes it in two steps")
    void tokens() throws Exception {
        open(page, "/ui/settings", ANNA);
        page.getByText("New token…").click();
        assertThat(page.locator("#token-id")).isFocused();
        page.keyboard().type("anna");
        page.keyboard().press("Enter");
        assertThat(page.locator("hf-tokens .problem")).containsText("There is a token 'anna' already");
        page.locator("#token-id").fill("ci");
        page.locator("#token-place").fill("billing");
        page.locator("#token-role").selectOption("lock");
        page.getByText("Create the token").click();
        assertThat(page.locator(".made")).containsText("Token ci is ready.");
        String secret = page.locator(".made code").textContent();
        page.locator(".made")
                .getByText("Copy", new Locator.GetByTextOptions().setExact(true))
                .click();
        assertThat(page.evaluate("navigator.clipboard.readText()")).isEqualTo(secret);
        assertThat(status(secret)).isEqualTo(200);
        page.locator(".made").getByText("Done").click();
        assertThat(page.content()).doesNotContain(secret);
        Locator row = page.locator(".tokens li").filter(new Locator.FilterOptions().setHasText("by anna"));
        assertThat(row).containsText("lock in namespace billing");
        row.getByText("Revoke…").click();
        assertThat(new AxeBuilder(page).analyze().getViolations()).isEmpty();
        row.getByText("Revoke ci").click();
        assertThat(page.locator(".said")).hasText("Token ci is revoked");
        assertThat(row).hasCount(0);
        assertThat(status(secret)).isEqualTo(401);
    }

    private static int status(String token) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(url("/v2/whoami")))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @DisplayName("a theme is chosen by keys, stays after a reload, and can be left to the system again")
    void theme() {
        open(page, "/", ANNA);
        page.keyboard().press("g");
        page.keyboard().press(",");
        page.locator("input[name=theme][value=system]").focus();
        page.keyboard().press("ArrowLeft");
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.reload();
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.locator("#token").fill(ANNA);
        page.keyboard().press("Enter");
        assertThat(page.locator("input[value=dark]")).isChecked();
        page.getByText("As the system").click();
        assertThat(page.locator("html[data-theme]")).hasCount(0);
        assertThat(page.evaluate("localStorage.getItem('holdfast.theme')")).isNull();
    }

    @Test
    @DisplayName("keys of one character can be turned off, for good, and on again; a link leaves the focus on the page")
    void letters() {
        open(page, "/ui/settings", ANNA);
        Locator letters = page.locator("input[name=letters]");
        letters.uncheck();
        letters.blur();
        page.keyboard().press("g");
        page.keyboard().press("l");
        page.keyboard().press("?");
        page.keyboard().press("p");
        assertThat(page.locator("dialog[open]")).hasCount(0);
        assertThat(page.locator(".live.live")).hasText("live");
        assertThat(page).hasURL(url("/ui/settings"));
        page.reload();
        page.locator("#token").fill(ANNA);
        page.keyboard().press("Enter");
        assertThat(letters).not().isChecked();
        letters.check();
        letters.blur();
        page.keyboard().press("g");
        page.keyboard().press("l");
        assertThat(page).hasURL(url("/ui/locks"));
        assertThat(page.locator("main")).isFocused();
    }

    @Test
    @DisplayName("a call that fails is told where its answer would be; the rest is there")
    void failing() {
        page.route(
                "**/v2/settings",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(500)
                        .setContentType("application/problem+json")
                        .setBody("{\"code\":\"internal\",\"detail\":\"Something broke.\",\"request_id\":\"r-9\"}")));
        open(page, "/ui/settings", ANNA);
        assertThat(page.locator(".problem")).containsText("The configuration cannot be read. Something broke.");
        assertThat(page.locator(".problem")).containsText("internal · request r-9");
        assertThat(page.locator("dl.facts")).containsText("Running for");
        assertThat(page.locator(".tokens")).containsText("bert");
    }

    @Test
    @DisplayName("a server that asks nobody says what that means, and makes no tokens")
    void nobodyIsAsked() {
        try (HoldfastServer other = HoldfastServer.start(ServerSetup.of(Settings.load(
                List.of("--server.port=0", "--store=memory:"), Map.of(), Path.of("no-such-directory"))))) {
            page.navigate("http://127.0.0.1:" + other.port() + "/ui/settings");
            assertThat(page.locator("h1")).containsText("This server has no authentication");
            assertThat(page.locator("hf-tokens")).containsText("a token would have no effect");
            assertThat(page.getByText("New token…")).hasCount(0);
        }
    }

    @TestFactory
    @DisplayName("light and dark, wide and narrow: no violation of WCAG, nothing wider than the window")
    Stream<DynamicTest> accessible() {
        return Look.each(Stream.of("settings"), DashboardSettingsTest::check);
    }

    private static void check(String name, Look look) {
        Page one = look.page(chromium);
        open(one, "/ui/settings", ANNA);
        one.locator("details.usual summary").click();
        one.locator(".tokens li").first().waitFor();
        one.getByText("New token…").click();
        look.picture(one, name);
        look.assertAccessible(one);
        one.context().close();
    }
}
