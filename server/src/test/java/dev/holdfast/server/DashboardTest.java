package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.dashboard.DashboardOptions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the dashboard")
class DashboardTest {
    private static final Pattern FILE = Pattern.compile("(?:href|src)=\"(/ui/files/[^\"]+)\"");

    @Test
    @DisplayName("is a page that may run only what comes from here")
    void page() {
        try (TestServer server = TestServer.onMemory()) {
            Answer page = server.get("/");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
            assertThat(page.header("Content-Security-Policy"))
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'", "require-trusted-types-for 'script'")
                    .doesNotContain("unsafe");
            assertThat(server.get("/ui/locks").body()).isEqualTo(page.body());
            assertThat(server.get("/ui/lock?namespace=a&name=b").body()).isEqualTo(page.body());
        }
    }

    @Test
    @DisplayName("loads files that a browser may keep for ever, compressed where it can be")
    void files() {
        try (TestServer server = TestServer.onMemory()) {
            Matcher file = FILE.matcher(server.get("/").body());
            int files = 0;
            while (file.find()) {
                files++;
                Answer plain = server.get(file.group(1));
                assertThat(plain.status()).as(file.group(1)).isEqualTo(200);
                assertThat(plain.header("Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
                assertThat(plain.header("X-Content-Type-Options")).isEqualTo("nosniff");
                assertThat(plain.header("Content-Encoding")).isEmpty();
                Answer gzip = server.send(server.request(file.group(1)).header("Accept-Encoding", "gzip, br"));
                assertThat(gzip.header("Content-Encoding")).isEqualTo("gzip");
                assertThat(gzip.header("Vary")).isEqualTo("Accept-Encoding");
            }
            assertThat(files).isGreaterThan(10);
        }
    }

    @Test
    @DisplayName("has no other pages or files, and none of another version")
    void nothingElse() {
        try (TestServer server = TestServer.onMemory()) {
            for (String path : List.of(
                    "/ui/nothing", "/ui/files/000000000000/app.js", "/ui/files/../app.js", "/ui/", "/ui/locks/x")) {
                assertThat(server.get(path).status()).as(path).isEqualTo(404);
            }
            Matcher file = FILE.matcher(server.get("/").body());
            assertThat(file.find()).isTrue();
            String folder = file.group(1).substring(0, file.group(1).lastIndexOf('/') + 1);
            assertThat(server.get(folder + "types.d.ts").status()).isEqualTo(404);
            assertThat(server.get(folder + "..%2findex.html").status()).isEqualTo(404);
        }
    }

    @Test
    @DisplayName("can be loaded by everybody, who then still has to sign in")
    void open() {
        AuthConfig auth = new AuthConfig(
                false, Optional.empty(), List.of(TokenEntry.of("a", "hf_a-0123456789", Grants.everywhere(Role.READ))));
        try (TestServer server = new Setup().auth(auth).start()) {
            assertThat(server.get("/").status()).isEqualTo(200);
            assertThat(server.get("/v2/whoami").status()).isEqualTo(401);
        }
    }

    @Test
    @DisplayName("can be switched off: then / is the reference; or be told only to show")
    void settings() {
        try (TestServer server =
                new Setup().dashboard(new DashboardOptions(false, false)).start()) {
            assertThat(server.get("/").body()).isEqualTo(server.get("/docs").body());
            assertThat(server.get("/ui/locks").status()).isEqualTo(404);
        }
        try (TestServer server =
                new Setup().dashboard(new DashboardOptions(true, true)).start()) {
            assertThat(server.get("/").body()).contains("data-read-only=\"true\"");
        }
    }
}
