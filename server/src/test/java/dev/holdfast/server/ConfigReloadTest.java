package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.server.observe.logs.LogLevels;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("tokens, webhooks and the log level in the configuration file, while the server runs")
class ConfigReloadTest {
    @TempDir
    Path directory;

    private final LoggedLines log = LoggedLines.of(ConfigReload.class);
    private final List<AuditEntry> changes = new ArrayList<>();
    private final LogLevels levels = new LogLevels(org.slf4j.event.Level.INFO, Clock.systemUTC());
    private Authenticator authenticator;
    private NotifyOptions told = NotifyOptions.NONE;
    private ConfigReload reload;

    private void start(String... lines) throws Exception {
        write(lines);
        Settings first = load();
        authenticator = Authenticator.of(ServerSetup.of(first).auth());
        told = ServerSetup.of(first).notifications();
        reload = new ConfigReload(
                first,
                this::load,
                new ConfigReload.ReloadParts(authenticator, levels, () -> told, others -> told = others, changes::add));
    }

    @AfterEach
    void close() {
        log.close();
        reload.close();
        levels.close();
        authenticator.close();
    }

    private Settings load() {
        return Settings.load(List.of("--store=memory:"), Map.of(), directory);
    }

    private void write(String... lines) throws Exception {
        Files.writeString(directory.resolve("holdfast.yaml"), String.join("\n", lines) + "\n");
    }

    private static String entry(String id) {
        return "  - {id: " + id + ", sha256: " + TokenSecret.sha256("hf_" + id) + ", roles: {n: [lock]}}";
    }

    private boolean isKnown(String id) {
        Authentication answer = authenticator
                .authenticate(Optional.of("Bearer hf_" + id))
                .toCompletableFuture()
                .join();
        return answer instanceof Known;
    }

    private List<String> said(Level level) {
        return log.lines(level);
    }

    @Test
    @DisplayName("are taken when the file changes; whoever listens hears which")
    void changed() throws Exception {
        start("auth.tokens:", entry("old"), entry("kept"));
        reload.look();
        assertThat(changes).as("nothing has changed").isEmpty();
        write("auth.tokens:", entry("kept"), entry("new"));
        reload.look();
        assertThat(isKnown("new")).isTrue();
        assertThat(isKnown("kept")).isTrue();
        assertThat(isKnown("old")).isFalse();
        assertThat(changes)
                .containsExactly(AuditEntry.done(
                        AuditEntry.Action.CONFIG_CHANGED,
                        AuditedCaller.SERVER,
                        "auth.tokens",
                        Map.of("file", "holdfast.yaml:1", "tokens", "auth.tokens +new, -old")));
    }

    @Test
    @DisplayName("are taken from a file of their own as well, which the configuration names")
    void ownFile() throws Exception {
        Path tokens = directory.resolve("tokens.yaml");
        Files.writeString(tokens, entry("old").strip() + "\n");
        start("auth.tokens-file: " + tokens);
        Files.writeString(tokens, entry("new").strip() + "\n");
        reload.look();
        assertThat(isKnown("new")).isTrue();
        assertThat(isKnown("old")).isFalse();
        Files.writeString(tokens, "- {id: x\n");
        reload.look();
        assertThat(isKnown("new")).as("what cannot be read changes nothing").isTrue();
        assertThat(said(Level.ERROR)).hasSize(1);
    }

    @Test
    @DisplayName("stay as they are while the file is wrong, which is said once")
    void broken() throws Exception {
        start("auth.tokens:", entry("old"));
        for (String wrong : List.of("auth.tokens: [", "auth.tokens: [{id: x}]", "no.such.key: 1")) {
            write(wrong);
            reload.look();
            reload.look();
            assertThat(isKnown("old")).isTrue();
        }
        assertThat(said(Level.ERROR)).hasSize(3).allMatch(line -> line.contains("the previous one stays"));
        Files.delete(directory.resolve("holdfast.yaml"));
        write("auth.tokens:", entry("new"));
        reload.look();
        assertThat(isKnown("new")).isTrue();
        assertThat(isKnown("old")).isFalse();
    }

    @Test
    @DisplayName("are the only thing that is taken; other settings are named, once, with the word restart")
    void others() throws Exception {
        start("auth.tokens:", entry("old"));
        write("server.port: 9999", "locks.retention: 2h", "auth.tokens:", entry("new"));
        reload.look();
        reload.look();
        assertThat(said(Level.WARN))
                .containsExactly(
                        "Changed settings that take effect only after a restart: locks.retention, server.port");
        assertThat(isKnown("new")).isTrue();
    }

    @Test
    @DisplayName("never open a server by being removed, nor close an open one without a restart")
    void openAndClosed() throws Exception {
        start("auth.tokens:", entry("old"));
        write("server.port: 8080");
        reload.look();
        assertThat(isKnown("old")).isFalse();
        assertThat(authenticator
                        .authenticate(Optional.empty())
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Authentication.Missing.class);
        reload.close();
        levels.close();
        authenticator.close();
        log.clear();

        start("server.port: 8080");
        write("server.port: 8080", "auth.tokens:", entry("new"));
        reload.look();
        assertThat(said(Level.WARN)).singleElement().asString().contains("auth.tokens");
        assertThat(isKnown("anything")).as("still open, as it was started").isTrue();
    }

    @Test
    @DisplayName(
            "and the log level: a changed one counts; one changed by hand stays until the file is read again on demand")
    void level() throws Exception {
        start("logging.level: info");
        try {
            levels.change(LogLevels.OWN, org.slf4j.event.Level.DEBUG, Optional.empty());
            reload.look();
            assertThat(levels.changes()).as("nothing changed in the file").hasSize(1);
            write("logging.level: warn");
            reload.look();
            assertThat(levels.configured()).isEqualTo(org.slf4j.event.Level.WARN);
            assertThat(levels.changes()).isEmpty();
            assertThat(changes).singleElement().satisfies(entry -> {
                assertThat(entry.resource()).isEqualTo("logging.level");
                assertThat(entry.details()).containsEntry("level", "warn");
            });
            assertThat(said(Level.WARN)).as("it needs no restart").isEmpty();

            levels.change(LogLevels.OWN, org.slf4j.event.Level.DEBUG, Optional.empty());
            reload.reload();
            Await.until("it is read again", () -> levels.changes().isEmpty());
        } finally {
            levels.configured(org.slf4j.event.Level.INFO);
        }
    }

    @Test
    @DisplayName(
            "webhooks are taken when the file changes, or only a secret in a file of its own; what is missing changes nothing")
    void webhooks() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "the-first-secret-0123\n");
        start("notify.timeout: 5s");
        reload.look();
        assertThat(changes).as("nothing has changed").isEmpty();

        write("notify:", "  timeout: 5s", "  webhooks:", hook("ops", secret));
        reload.look();
        assertThat(told.webhooks()).extracting(Webhook::id).containsExactly("ops");
        assertThat(changes)
                .containsExactly(AuditEntry.done(
                        AuditEntry.Action.CONFIG_CHANGED,
                        AuditedCaller.SERVER,
                        "notify.webhooks",
                        Map.of("file", "holdfast.yaml:3", "webhooks", "ops")));

        Files.writeString(secret, "the-second-secret-4567\n");
        reload.look();
        assertThat(told.webhooks().get(0).secret()).contains("the-second-secret-4567");

        Files.delete(secret);
        write("notify:", "  webhooks:", hook("ops", secret), hook("chat", secret));
        reload.look();
        assertThat(told.webhooks()).hasSize(1);
        assertThat(said(Level.ERROR)).hasSize(1).allMatch(line -> line.contains("notify.webhooks"));
        assertThat(said(Level.WARN)).as("nothing of it needs a restart").isEmpty();
    }

    private static String hook(String id, Path secret) {
        return "    - {id: " + id + ", url: 'https://ops.example.com/x', secret: 'file:" + secret + "'}";
    }
}
