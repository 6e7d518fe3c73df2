package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.auth.jwt.ClaimRules;
import dev.holdfast.server.auth.jwt.RoleRule;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    @TempDir
    Path directory;

    private Sources sources;

    @BeforeEach
    void fresh() {
        sources = new Sources(directory);
    }

    @Test
    @DisplayName("--config and HOLDFAST_CONFIG name another file; the flag wins")
    void namedFile() throws Exception {
        sources.file("one.yaml", "server.port: 1")
                .file("two.yaml", "server.port: 2")
                .yaml("server.port: 3");
        assertThat(sources.load().get(ServerSettings.PORT)).isEqualTo(3);
        assertThat(sources.env("HOLDFAST_CONFIG", "one.yaml").load().get(ServerSettings.PORT))
                .isEqualTo(1);
        Settings settings = sources.flags("--config", "two.yaml").load();
        assertThat(settings.get(ServerSettings.PORT)).isEqualTo(2);
        assertThat(settings.origin(ServerSettings.PORT)).hasToString("two.yaml:1");
    }

    @Test
    @DisplayName("a file that is named must be there")
    void missingFile() {
        assertThat(sources.flags("--config=none.yaml").problems())
                .containsExactly(
                        "the configuration names '" + directory.resolve("none.yaml") + "', which does not exist");
    }

    @Test
    @DisplayName("an empty file, one with comments only, and a section with all its lines commented out are fine")
    void emptyFiles() throws Exception {
        for (String text : List.of("", "# nothing\n", "---\n", "server:\n#  port: 1\nstore:\n", "server: {}\n")) {
            assertThat(sources.file("holdfast.yaml", text).load().get(ServerSettings.PORT))
                    .isEqualTo(8080);
        }
    }

    @Test
    @DisplayName("unknown keys and sections are refused with the key that was meant")
    void unknownKeys() throws Exception {
        sources.yaml(
                "server:",
                "  prot: 1",
                "prot: 1",
                "port: 2",
                "lokcs:",
                "metrics: {enabeld: true}",
                "frob: {nicate: 1}",
                "default-lease: 1s");
        assertThat(sources.problems())
                .containsExactly(
                        "unknown key 'server.prot' (holdfast.yaml:2); did you mean server.port?",
                        "unknown key 'prot' (holdfast.yaml:3); did you mean server.port?",
                        "unknown key 'port' (holdfast.yaml:4); did you mean server.port?",
                        "unknown key 'lokcs' (holdfast.yaml:5); all keys are listed by: holdfast config keys",
                        "unknown key 'metrics.enabeld' (holdfast.yaml:6); did you mean metrics.enabled?",
                        "unknown key 'frob.nicate' (holdfast.yaml:7); all keys are listed by: holdfast config keys",
                        "unknown key 'default-lease' (holdfast.yaml:8); did you mean locks.default-lease?");
    }

    @Test
    @DisplayName("what is not YAML is told with line and column, without its text")
    void syntax() throws Exception {
        sources.yaml("server:", "  port: 1", " secret-stuff: [1");
        assertThat(sources.problems()).singleElement().asString().matches("holdfast\\.yaml:\\d+:\\d+ is not YAML: .*");
        assertThat(sources.problems().get(0)).startsWith("holdfast.yaml:3").doesNotContain("secret-stuff");
    }

    @Test
    @DisplayName("anchors, tags, doubled keys, second documents, lists at the top and deep nesting are refused")
    void refusedYaml() throws Exception {
        for (Map.Entry<String, String> each : Map.of(
                        "a: &x 1\nb: *x",
                        "anchor",
                        "server.host: *x",
                        "anchor",
                        "server.port: !!int 1",
                        "tag",
                        "server.host: !!java.net.URL [x]",
                        "tag",
                        "server.port: 1\nserver.port: 1",
                        "twice",
                        "server.port: 1\n---\nserver.port: 2",
                        "second document",
                        "- 1",
                        "must be a map of settings, was a list",
                        "just words",
                        "must be a map of settings",
                        "? {a: b}\n: 1",
                        "key that is not text",
                        "server: " + "[".repeat(100_000),
                        "nested")
                .entrySet()) {
            assertThat(sources.file("holdfast.yaml", each.getKey()).problems())
                    .as(each.getKey().substring(0, Math.min(40, each.getKey().length())))
                    .singleElement()
                    .asString()
                    .contains(each.getValue());
        }
    }

    @Test
    @DisplayName("a file that is too large or not UTF-8 is refused")
    void badBytes() throws Exception {
        sources.file("holdfast.yaml", "#".repeat(1024 * 1024 + 1));
        assertThat(sources.problems()).singleElement().asString().contains("larger than 1024 KB");
        Files.write(directory.resolve("holdfast.yaml"), "server.node: é".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(sources.problems()).singleElement().asString().contains("not UTF-8");
        Files.write(directory.resolve("holdfast.yaml"), new byte[] {'a', ':', 0});
        assertThat(sources.problems()).singleElement().asString().contains("is not YAML");
    }

    @Test
    @DisplayName("a list or a map where a number belongs is refused by what it is")
    void wrongShape() throws Exception {
        sources.yaml("server.port: [1]", "locks.retention: {hours: 1}");
        assertThat(sources.problems())
                .containsExactly(
                        "server.port (holdfast.yaml:1) must be between 0 and 65535, was a list",
                        "locks.retention (holdfast.yaml:2) must be between 1m and 3650d, was a map");
    }

    @Test
    @DisplayName("tokens and roles are read from the file, and the same from a flag or a variable as JSON")
    void tokens() throws Exception {
        String hash = "AB".repeat(32);
        sources.yaml(
                "auth:",
                "  tokens:",
                "    - id: ci",
                "      sha256: " + hash,
                "      roles:",
                "        billing: [lock, read]",
                "        '*': [read]");
        TokenEntry expected = new TokenEntry(
                "ci", "ab".repeat(32), Grants.spelled(Map.of("billing", Set.of("lock", "read"), "*", Set.of("read"))));
        assertThat(sources.load().get(AuthSettings.TOKENS)).containsExactly(expected);
        assertThat(sources.load().authConfigured()).isTrue();

        String json = "[{\"id\":\"ci\",\"sha256\":\"" + hash
                + "\",\"roles\":{\"billing\":[\"lock\",\"read\"],\"*\":[\"read\"]}}]";
        Sources other =
                new Sources(directory.resolve("x")).env("AUTH_TOKENS", json).env("JWT_DEFAULT_ROLES", "{}");
        assertThat(other.load().get(AuthSettings.TOKENS)).containsExactly(expected);
        assertThat(other.load().get(AuthSettings.JWT_DEFAULT_ROLES)).isEqualTo(Grants.NONE);
    }

    @Test
    @DisplayName("everything that is wrong with tokens is told, and never what stands at sha256")
    void wrongTokens() throws Exception {
        String hash = "ab".repeat(32);
        sources.yaml(
                "auth.tokens:",
                "  - {id: 'a b', sha256: hf_secret, roles: {'*': [read]}}",
                "  - {id: two, sha256: " + hash + ", roles: {'no space': [read], web: [writer], jobs: read}}",
                "  - {id: two, sha256: " + hash + ", roles: {}, expires: never}",
                "  - just-text",
                "  - {id: five}");
        assertThat(sources.problems())
                .noneMatch(problem -> problem.contains("hf_secret"))
                .allMatch(problem -> problem.matches("auth\\.tokens\\[\\d].* \\(holdfast\\.yaml:1\\) .*"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[0].id ") && problem.endsWith("was 'a b'"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[0].sha256 ") && problem.contains("64 hexadecimal"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[1].roles ") && problem.endsWith("was 'no space'"))
                .anyMatch(
                        problem -> problem.startsWith("auth.tokens[1].roles.web ") && problem.endsWith("was 'writer'"))
                .anyMatch(problem ->
                        problem.startsWith("auth.tokens[1].roles.jobs ") && problem.contains("list of roles"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[2].expires ") && problem.endsWith("was 'never'"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[2].id ") && problem.contains("earlier"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[2].sha256 ") && problem.contains("earlier"))
                .anyMatch(problem -> problem.startsWith("auth.tokens[3] "))
                .anyMatch(problem -> problem.startsWith("auth.tokens[4].roles ") && problem.endsWith("was nothing"))
                .hasSize(11);
    }

    @Test
    @DisplayName("a token may have an end and a group")
    void tokenDetails() throws Exception {
        sources.yaml(
                "auth.tokens:",
                "  - {id: a, sha256: " + "ab".repeat(32) + ", roles: {}, expires: 2031-05-01, group: acme/builds}",
                "  - {id: b, sha256: " + "cd".repeat(32) + ", roles: {}, expires: '2031-05-01T10:00:00+02:00'}");
        assertThat(sources.load().get(AuthSettings.TOKENS))
                .containsExactly(
                        new TokenEntry(
                                "a",
                                "ab".repeat(32),
                                Grants.NONE,
                                Optional.of(Instant.parse("2031-05-01T00:00:00Z")),
                                Optional.of("acme/builds")),
                        new TokenEntry(
                                "b",
                                "cd".repeat(32),
                                Grants.NONE,
                                Optional.of(Instant.parse("2031-05-01T08:00:00Z")),
                                Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "", "password", "changeme", "secret", "test", "123456"})
    @DisplayName("the hash of a sample or of a word that is tried first is refused, whatever its case")
    void sampleHashes(String word) throws Exception {
        String hash = TokenSecret.sha256(word);
        for (String spelled : List.of(hash, hash.toUpperCase(Locale.ROOT))) {
            sources.yaml("auth.tokens: [{id: ci, sha256: '" + spelled + "', roles: {n: [read]}}]");
            assertThat(sources.problems())
                    .singleElement()
                    .asString()
                    .contains("sample that everybody knows", "holdfast token create");
        }
    }

    @Test
    @DisplayName("claims, rules and certificates are read, and what is wrong with them is told with its place")
    void claims() throws Exception {
        sources.yaml(
                "jwt:",
                "  issuer: https://issuer",
                "  audience: holdfast",
                "  bound-claims: {repository_owner: acme, ref: [refs/heads/main, 'refs/tags/v*']}",
                "  role-rules:",
                "    - claims: {repository: acme/shop}",
                "      roles: {deploy: [state]}");
        Settings settings = sources.load();
        assertThat(settings.get(AuthSettings.JWT_BOUND_CLAIMS))
                .isEqualTo(ClaimRules.spelled(Map.of(
                        "repository_owner", List.of("acme"), "ref", List.of("refs/heads/main", "refs/tags/v*"))));
        assertThat(settings.get(AuthSettings.JWT_ROLE_RULES))
                .containsExactly(new RoleRule(
                        ClaimRules.spelled(Map.of("repository", List.of("acme/shop"))),
                        Grants.spelled(Map.of("deploy", Set.of("state")))));

        sources.yaml(
                "jwt:",
                "  issuer: https://issuer",
                "  audience: holdfast",
                "  bound-claims: {repository: {a: b}, ref: []}",
                "  role-rules:",
                "    - {claims: {}, roles: {deploy: [state]}}",
                "    - {roles: {deploy: [state]}}",
                "    - {claims: {a: b}, roles: {deploy: [root]}, group: x}");
        assertThat(sources.problems())
                .anyMatch(problem -> problem.startsWith("jwt.bound-claims.repository "))
                .anyMatch(problem -> problem.startsWith("jwt.bound-claims.ref "))
                .anyMatch(problem ->
                        problem.startsWith("jwt.role-rules[0].claims ") && problem.contains("at least one claim"))
                .anyMatch(problem -> problem.startsWith("jwt.role-rules[1].claims "))
                .anyMatch(problem -> problem.startsWith("jwt.role-rules[2].roles.deploy "))
                .anyMatch(problem -> problem.startsWith("jwt.role-rules[2] ") && problem.endsWith("was 'group'"))
                .hasSize(6);
    }

    @Test
    @DisplayName("a certificate has a subject or a san, not both, and not neither")
    void certificates() throws Exception {
        sources.yaml(
                "auth.certificates:",
                "  - {subject: 'CN=a', san: b, roles: {}}",
                "  - {id: x, roles: {}}",
                "  - {san: 'spiffe://acme/*', id: 'a b', roles: {n: [read]}, sha256: x}");
        assertThat(sources.problems())
                .anyMatch(problem -> problem.startsWith("auth.certificates[0] ") && problem.contains("either"))
                .anyMatch(problem -> problem.startsWith("auth.certificates[1] ") && problem.contains("either"))
                .anyMatch(problem -> problem.startsWith("auth.certificates[2].id "))
                .anyMatch(problem -> problem.startsWith("auth.certificates[2] ") && problem.endsWith("was 'sha256'"))
                .hasSize(4);
    }
}
