package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.LockSettings;
import dev.holdfast.server.config.settings.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A setting that is read and then forgotten looks to its user like one that works. */
@DisplayName("what is set reaches the server")
class ServerSetupTest {
    @TempDir
    Path directory;

    /** One setting, a value other than its default, and where it must arrive. */
    private record Case(String setting, String value, Object arrives, Function<ServerOptions, Object> where) {}

    private static final List<Case> CASES = List.of(
            new Case(
                    "store.connect-wait",
                    "31s",
                    "sqlite:./holdfast-data/holdfast.db?mode=exclusive&connect_wait=31000ms",
                    ServerOptions::store),
            new Case(
                    "locks.max-lease",
                    "2h",
                    Duration.ofHours(2),
                    it -> it.bounds().maxLease()),
            new Case(
                    "locks.stale-after",
                    "33s",
                    Duration.ofSeconds(33),
                    it -> it.engine().staleAfter()),
            new Case(
                    "locks.retention",
                    "34m",
                    Duration.ofMinutes(34),
                    it -> it.engine().retention()),
            new Case(
                    "locks.cleanup.interval",
                    "35s",
                    Duration.ofSeconds(35),
                    it -> it.engine().sweepEvery()),
            new Case("locks.max-waiters", "36", 36, it -> it.engine().waitersPerKey()),
            new Case("locks.max-waiters-total", "37", 37, it -> it.engine().waiters()),
            new Case("locks.keys-cached", "38", 38, it -> it.engine().keysCached()),
            new Case(
                    "locks.operation-timeout",
                    "39s",
                    Duration.ofSeconds(39),
                    it -> it.engine().operationTimeout()),
            new Case("history.enabled", "false", false, it -> it.engine().history()),
            new Case(
                    "history.retention",
                    "40d",
                    Duration.ofDays(40),
                    it -> it.engine().historyRetention()),
            new Case("server.limits.body", "41KB", 41 << 10, it -> it.limits().body()),
            new Case(
                    "server.limits.batch-body",
                    "42KB",
                    42 << 10,
                    it -> it.limits().batchBody()),
            new Case("server.limits.url", "43KB", 43 << 10, it -> it.limits().url()),
            new Case(
                    "server.limits.headers", "44KB", 44 << 10, it -> it.limits().headers()),
            new Case("server.limits.json-depth", "45", 45, it -> it.limits().jsonDepth()),
            new Case("server.limits.connections", "46", 46, it -> it.limits().connections()),
            new Case(
                    "server.limits.idle-timeout",
                    "87s",
                    Duration.ofSeconds(87),
                    it -> it.limits().idle()),
            new Case(
                    "server.limits.request-timeout",
                    "48s",
                    Duration.ofSeconds(48),
                    it -> it.limits().slow()),
            new Case(
                    "server.limits.request-timeout",
                    "48s",
                    Duration.ofSeconds(48),
                    it -> it.events().patience()),
            new Case(
                    "server.limits.requests-per-second",
                    "49",
                    49,
                    it -> it.rate().perSecond()),
            new Case(
                    "dashboard.enabled",
                    "false",
                    false,
                    it -> it.observe().dashboard().enabled()),
            new Case(
                    "dashboard.read-only",
                    "true",
                    true,
                    it -> it.observe().dashboard().readOnly()),
            new Case("server.limits.burst", "50", 50, it -> it.rate().burst()),
            new Case("server.limits.events-clients", "51", 51, it -> it.events().clients()),
            new Case(
                    "server.limits.events-per-principal",
                    "58",
                    58,
                    it -> it.events().each()),
            new Case(
                    "server.limits.connections-per-address",
                    "59",
                    59,
                    it -> it.limits().connectionsPerAddress()),
            new Case(
                    "server.limits.waiters-per-principal",
                    "60",
                    60,
                    it -> it.limits().waitersPerPrincipal()),
            new Case(
                    "server.limits.locks-per-principal",
                    "61",
                    61,
                    it -> it.limits().locksPerPrincipal()),
            new Case("server.limits.events-buffer", "52", 52, it -> it.events().behind()),
            new Case("server.limits.waiters-per-namespace", "53", 53, ServerOptions::waitersPerNamespace),
            new Case(
                    "server.limits.long-poll",
                    "54s",
                    Duration.ofSeconds(54),
                    it -> it.bounds().longPoll()),
            new Case(
                    "server.limits.keep-place",
                    "5s",
                    Duration.ofSeconds(5),
                    it -> it.bounds().keepPlace()));

    private ServerOptions with(String... flags) {
        return ServerSetup.of(Settings.load(List.of(flags), Map.of(), directory));
    }

    @TestFactory
    @DisplayName("each limit and habit arrives where it acts")
    Stream<DynamicTest> arrives() {
        return CASES.stream()
                .map(it -> DynamicTest.dynamicTest(it.setting() + "=" + it.value(), () -> {
                    assertThat(it.where().apply(with())).as("the default").isNotEqualTo(it.arrives());
                    assertThat(it.where().apply(with("--" + it.setting() + "=" + it.value())))
                            .isEqualTo(it.arrives());
                }));
    }

    @Test
    @DisplayName("fair shares are there without being asked for; one address has half of the connections")
    void shares() {
        assertThat(with().rate().perSecond()).isEqualTo(2_000);
        assertThat(with().rate().burst()).isEqualTo(4_000);
        assertThat(with("--server.limits.connections=50").limits().connectionsPerAddress())
                .isEqualTo(25);
    }

    @Test
    @DisplayName("names, proxies and an audit that is required arrive")
    void names() {
        ServerOptions config = with(
                "--server.allowed-hosts=holdfast,*.example.com",
                "--server.trusted-proxies=10.0.0.0/8,::1",
                "--audit.file=audit.log",
                "--server.audit.required=true");
        assertThat(config.listen().allowedHosts()).containsExactly("holdfast", "*.example.com");
        assertThat(config.listen().trustedProxies()).containsExactly("10.0.0.0/8", "::1");
        assertThat(config.on(1, "memory:").listen().allowedHosts()).hasSize(2);
        assertThat(config.observe().audit().orElseThrow().required()).isTrue();
    }

    @Test
    @DisplayName("and none is forgotten here")
    void complete() {
        assertThat(Settings.declared().stream()
                        .map(Setting::name)
                        .filter(name -> name.startsWith("locks.")
                                || name.startsWith("store.")
                                || name.startsWith("history.")
                                || name.startsWith("dashboard.")
                                || name.startsWith("server.limits."))
                        // requests name their lease; this one is for the command line
                        .filter(name -> !name.equals(LockSettings.DEFAULT_LEASE.name())))
                .containsExactlyInAnyOrderElementsOf(
                        CASES.stream().map(Case::setting).distinct().toList());
    }

    @Test
    @DisplayName("master keys, in their order; one that cannot be had ends the start, and is not repeated")
    void keys() throws Exception {
        Path file = directory.resolve("state.key");
        Files.writeString(file, "6f1c".repeat(4) + "0123456789abcdef" + "fedcba9876543210" + "a1b2c3d4e5f60718");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path second = directory.resolve("second.key");
        Files.writeString(second, "9d2e".repeat(4) + "0123456789abcdef" + "fedcba9876543210" + "a1b2c3d4e5f60718");
        Files.setPosixFilePermissions(second, PosixFilePermissions.fromString("rw-------"));
        MasterKeys one =
                with("--state.encryption.key=file:" + file).state().keeping().keys();
        MasterKeys two = with(
                        "--state.encryption.keys=file:" + second + ",file:" + file, "--state.encryption.required=true")
                .state()
                .keeping()
                .keys();
        String id = one.first().orElseThrow().id();
        assertThat(one.isRequired()).isFalse();
        assertThat(two.isRequired()).isTrue();
        assertThat(two.first().orElseThrow().id()).isNotEqualTo(id);
        assertThat(two.find(id)).isPresent();
        assertThat(with().state().keeping().keys().first()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with("--state.encryption.required=true"))
                .withMessageContaining("state.encryption.key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with("--state.encryption.key=file:" + file))
                .withMessageContainingAll("state.encryption", "chmod 600");
        assertThatExceptionOfType(ConfigProblems.class)
                .isThrownBy(() -> with("--state.encryption.key=a1b2c3d4e5f60718"))
                .withMessageContainingAll("state.encryption.key", "file:")
                .withMessageNotContaining("a1b2");
    }
}
