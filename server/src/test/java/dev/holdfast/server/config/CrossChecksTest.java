package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossChecksTest {
    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    @ParameterizedTest
    @DisplayName("an address other machines can reach needs an auth setting")
    @ValueSource(
            strings = {
                "0.0.0.0",
                "::",
                "192.168.1.7",
                "holdfast.internal",
                "127.evil.example",
                "localhost.example",
                "::10"
            })
    void openToOthers(String host) {
        assertThat(sources.flags("--host=" + host).problems())
                .singleElement()
                .asString()
                .startsWith("server.host (flag --host) is reachable from other machines")
                .contains("auth.tokens", "jwt.issuer", "authentication.disabled=true");
        assertThat(sources.flags("--host=" + host, "--authentication.disabled")
                        .load()
                        .authConfigured())
                .isTrue();
        assertThat(sources.flags("--host=" + host, "--jwt.jwks=https://keys/")
                        .load()
                        .authConfigured())
                .isTrue();
    }

    @ParameterizedTest
    @DisplayName("loopback needs none")
    @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "localhost", "LOCALHOST", "::1", "[::1]", "0:0:0:0:0:0:0:1"})
    void loopback(String host) {
        assertThat(sources.flags("--host=" + host).load().authConfigured()).isFalse();
    }

    @Test
    @DisplayName("a refused auth setting does not lead to a second complaint")
    void noFollowUp() {
        assertThat(sources.flags("--host=0.0.0.0", "--jwt.issuer=nonsense", "--jwt.audience=x")
                        .problems())
                .singleElement()
                .asString()
                .startsWith("jwt.issuer");
    }

    @Test
    @DisplayName("saying that authentication is on, without any way to log in, is refused")
    void nobodyCouldLogIn() {
        assertThat(sources.flags("--authentication.disabled=false").problems())
                .containsExactly(
                        "authentication.disabled (flag --authentication.disabled) is false, but nobody could log in;"
                                + " set auth.tokens, jwt.issuer or jwt.jwks");
    }

    @Test
    @DisplayName("switching authentication off while tokens are set is noted")
    void offWithTokens() throws Exception {
        sources.yaml("jwt.issuer: https://issuer").env("AUTHENTICATION_DISABLED", "true");
        assertThat(sources.load().notes()).singleElement().asString().contains("no effect");
    }

    @Test
    @DisplayName("settings that only work together are missed together")
    void pairs() throws Exception {
        sources.file("cert.pem", "x");
        assertThat(sources.flags(
                                "--server.tls.certificate=cert.pem",
                                "--jwt.audience=a",
                                "--locker.dynamodb.access-key-id=x")
                        .problems())
                .containsExactly(
                        "server.tls.certificate (flag --server.tls.certificate) is set, but not server.tls.key; they only"
                                + " work together",
                        "locker.dynamodb.access-key-id (flag --locker.dynamodb.access-key-id) is set, but not"
                                + " locker.dynamodb.secret-access-key; they only work together",
                        "jwt.audience (flag --jwt.audience) is set, but neither jwt.issuer nor jwt.jwks: no JWT could be"
                                + " checked; set one of them");
    }

    @Test
    @DisplayName("an audit that is required needs a file; names and ranges that are none are told")
    void auditAndNames() {
        assertThat(sources.flags(
                                "--audit.required=true",
                                "--server.allowed-hosts=holdfast,http://x,*,a.*.b",
                                "--server.trusted-proxies=10.0.0.0/8,10.0.0.0/99,proxy.example")
                        .problems())
                .containsExactly(
                        "audit.required (flag --audit.required) is true, but audit.file is not set: only a file can tell that"
                                + " it was not written; set it",
                        wrongHost("http://x"),
                        wrongHost("*"),
                        wrongHost("a.*.b"),
                        "server.trusted-proxies (flag --server.trusted-proxies): '10.0.0.0/99': after the slash comes a number"
                                + " from 0 to 32",
                        "server.trusted-proxies (flag --server.trusted-proxies): 'proxy.example' is not an address or a range"
                                + " like 10.1.0.0/16");
    }

    private static String wrongHost(String name) {
        return "server.allowed-hosts (flag --server.allowed-hosts) must have names such as holdfast or *.example.com, without"
                + " scheme and port, has '" + name + "'";
    }

    @Test
    @DisplayName("the PEM files must be there")
    void pemFiles() throws Exception {
        sources.file("cert.pem", "x").flags("--server.tls.certificate=cert.pem", "--server.tls.key=none.pem");
        assertThat(sources.problems())
                .containsExactly("server.tls.key (flag --server.tls.key) must name a PEM file that can be read, was '"
                        + directory.resolve("none.pem") + "'");
        sources.file("none.pem", "x").load();
    }

    @Test
    @DisplayName("the default lease is within the longest, and a long poll ends before its connection")
    void order() {
        assertThat(sources.flags("--locks.max-lease=10s", "--server.limits.idle-timeout=60s")
                        .problems())
                .containsExactly(
                        "locks.default-lease (default) must not be longer than locks.max-lease (flag --locks.max-lease)",
                        "server.limits.long-poll (default) must be shorter than server.limits.idle-timeout (flag"
                                + " --server.limits.idle-timeout)");
    }
}
