package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.config.settings.AuthSettings;
import java.nio.file.Path;
import java.util.List;
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
        assertThat(sources.flags("--host=" + host, "--jwt.jwks=https://keys/", "--jwt.audience=holdfast")
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
    @DisplayName("switching authentication off while tokens, certificates or JWT are set is refused, naming both")
    void offWithTokens() throws Exception {
        sources.yaml(
                        "jwt: {issuer: 'https://issuer', audience: holdfast}",
                        "auth.tokens: [{id: ci, sha256: " + "ab".repeat(32) + ", roles: {n: [read]}}]")
                .env("AUTHENTICATION_DISABLED", "true");
        assertThat(sources.problems())
                .containsExactly(
                        "authentication.disabled (environment AUTHENTICATION_DISABLED) is true and would let everybody in,"
                                + " although auth.tokens (holdfast.yaml:2) says who may come; remove one of them",
                        "authentication.disabled (environment AUTHENTICATION_DISABLED) is true and would let everybody in,"
                                + " although jwt.issuer (holdfast.yaml:1) says who may come; remove one of them");
    }

    @Test
    @DisplayName("JWT without an audience is refused: tokens made for other services would be accepted")
    void audience() {
        for (String keys : List.of("--jwt.issuer=https://issuer", "--jwt.jwks=https://issuer/keys")) {
            assertThat(sources.flags(keys).problems())
                    .singleElement()
                    .asString()
                    .startsWith("jwt.")
                    .contains("is set, but not jwt.audience", "made for any other service");
            assertThat(sources.flags(keys, "--jwt.audience=holdfast").load().get(AuthSettings.JWT_DEFAULT_ROLES))
                    .as("and nobody has roles by default")
                    .isEqualTo(Grants.NONE);
        }
    }

    @Test
    @DisplayName("client certificates need HTTPS, authorities, and to be asked for")
    void clientCertificates() throws Exception {
        sources.file("ca.pem", "x").file("tls.pem", "x");
        String rule = "--auth.certificates=[{subject: 'CN=ci', roles: {n: [read]}}]";
        assertThat(sources.flags(rule).problems())
                .singleElement()
                .asString()
                .startsWith("auth.certificates (flag --auth.certificates) names certificates, but");
        assertThat(sources.flags("--server.tls.client-ca=ca.pem", "--server.tls.client-auth=optional")
                        .problems())
                .singleElement()
                .asString()
                .contains("server.tls.certificate");
        assertThat(sources.flags("--server.tls.client-auth=required").problems())
                .singleElement()
                .asString()
                .contains("server.tls.client-ca");
        String[] tls = {"--server.tls.certificate=tls.pem", "--server.tls.key=tls.pem", "--server.tls.client-ca=ca.pem"
        };
        assertThat(sources.flags(tls).problems()).singleElement().asString().contains("server.tls.client-auth is none");
        assertThat(sources.flags(tls[0], tls[1], tls[2], "--server.tls.client-auth=optional", rule, "--host=0.0.0.0")
                        .load()
                        .authConfigured())
                .isTrue();
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
                        "audit.required (flag --audit.required) is true, but audit.file is not set: only with a file"
                                + " can a failed write be noticed; set it",
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
