package dev.holdfast.server;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.auth.login.Authenticator;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.NotifySettings;
import dev.holdfast.server.config.settings.ObserveSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.server.observe.audit.AuditEntry;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.server.observe.logs.LogLevels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code auth.tokens}, {@code notify.*} and {@code logging.level} in the configuration while a server runs. Nothing else of it changes without a
 * restart; what somebody changed all the same is named in the log. A configuration with something wrong in it changes nothing.
 */
final class ConfigReload implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigReload.class);
    static final Duration EVERY = Duration.ofSeconds(2);

    private final Settings first;
    private final Supplier<Settings> load;
    private final ReloadParts parts;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-config"));
    // What was said last, so that it is said once; only the timer's thread uses these.
    private Optional<String> complaint = Optional.empty();
    private List<String> restart = List.of();
    private String level;

    /**
     * @param told who is told what happens to locks at the moment
     * @param tell takes who is told from now on
     */
    record ReloadParts(
            Authenticator authenticator,
            LogLevels levels,
            Supplier<NotifyOptions> told,
            Consumer<NotifyOptions> tell,
            Consumer<AuditEntry> changed) {}

    /**
     * @param first the settings that the server was started with
     * @param load reads them again, from the same places
     */
    ConfigReload(Settings first, Supplier<Settings> load, ReloadParts parts) {
        this.first = first;
        this.load = load;
        this.parts = parts;
        this.level = first.get(ObserveSettings.LOGGING_LEVEL);
    }

    void start(Duration every) {
        var unused =
                timer.scheduleWithFixedDelay(this::look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Reads it again now; its log level then counts, whatever was said about that meanwhile. */
    void reload() {
        timer.execute(() -> {
            level = ""; // so that it counts as changed
            look();
        });
    }

    void look() {
        try {
            Settings now = load.get();
            take(now);
            complaint = Optional.empty();
        } catch (ConfigProblems | IllegalArgumentException e) {
            complain(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // the next look must come all the same
            LOG.error("The configuration could not be checked because of a fault in this server", e);
        }
    }

    private void take(Settings now) {
        List<TokenEntry> tokens = now.get(AuthSettings.TOKENS);
        Authenticator authenticator = parts.authenticator();
        List<TokenEntry> before = authenticator.configuredTokens();
        Set<String> needsRestart = new TreeSet<>(first.changedIn(now));
        needsRestart.remove(AuthSettings.TOKENS.name());
        needsRestart.remove(ObserveSettings.LOGGING_LEVEL.name());
        needsRestart.removeIf(name -> name.startsWith(NotifySettings.PREFIX));
        NotifyOptions webhooks = NotifySetup.of(now, System.getenv()); // before anything changes: a file may be missing
        takeLevel(now);
        if (!authenticator.asks() && !tokens.isEmpty()) {
            needsRestart.add(AuthSettings.TOKENS.name()); // from open to closed is more than a change of tokens
        } else if (!tokens.equals(before)) {
            // checks that they fit together
            authenticator.configuredTokens(new AuthConfig(false, Optional.empty(), tokens).tokens());
            String what = "auth.tokens " + difference(before, tokens);
            LOG.info("config.changed: {} by {}", what, now.origin(AuthSettings.TOKENS));
            changed(now, AuthSettings.TOKENS, "tokens", what);
        }
        takeWebhooks(now, webhooks);
        sayWhatNeedsRestart(List.copyOf(needsRestart));
    }

    /** Also when only a secret or an address changed that stands in a file. A demo tells nobody. */
    private void takeWebhooks(Settings now, NotifyOptions wanted) {
        NotifyOptions before = parts.told().get();
        NotifyOptions next = wanted.at(before.pace());
        if (next.equals(before) || now.get(ServerSettings.DEMO)) {
            return;
        }
        parts.tell().accept(next);
        String ids = next.webhooks().isEmpty()
                ? "none"
                : String.join(", ", next.webhooks().stream().map(Webhook::id).toList());
        LOG.info("config.changed: webhooks are {}, from {}", ids, now.origin(NotifySettings.WEBHOOKS));
        changed(now, NotifySettings.WEBHOOKS, "webhooks", ids);
    }

    private void takeLevel(Settings now) {
        String wanted = now.get(ObserveSettings.LOGGING_LEVEL);
        if (wanted.equals(level)) {
            return;
        }
        level = wanted;
        LogLevels levels = parts.levels();
        if (levels.changes().isEmpty() && levels.configured() == LogLevels.level(wanted)) {
            return; // read again, and the same
        }
        levels.configured(LogLevels.level(wanted));
        LOG.info("config.changed: logging.level is {}, from {}", wanted, now.origin(ObserveSettings.LOGGING_LEVEL));
        changed(now, ObserveSettings.LOGGING_LEVEL, "level", wanted);
    }

    private void changed(Settings now, Setting<?> setting, String what, String value) {
        parts.changed()
                .accept(AuditEntry.done(
                        AuditEntry.Action.CONFIG_CHANGED,
                        AuditedCaller.SERVER,
                        setting.name(),
                        Map.of("file", now.origin(setting).toString(), what, value)));
    }

    /** By id: {@code +new, -gone, ~changed}. */
    private static String difference(List<TokenEntry> before, List<TokenEntry> after) {
        Set<String> oldIds = ids(before);
        Set<String> newIds = ids(after);
        List<String> all = new ArrayList<>();
        after.stream()
                .filter(token -> !before.contains(token))
                .forEach(token -> all.add((oldIds.contains(token.id()) ? "~" : "+") + token.id()));
        oldIds.stream().filter(id -> !newIds.contains(id)).sorted().forEach(id -> all.add("-" + id));
        return String.join(", ", all);
    }

    private static Set<String> ids(List<TokenEntry> tokens) {
        return tokens.stream().map(TokenEntry::id).collect(Collectors.toSet());
    }

    private void sayWhatNeedsRestart(List<String> settings) {
        if (!settings.equals(restart) && !settings.isEmpty()) {
            LOG.warn("Changed settings that take effect only after a restart: {}", String.join(", ", settings));
        }
        restart = settings;
    }

    private void complain(String what) {
        if (!complaint.equals(Optional.of(what))) {
            LOG.error("The changed configuration is not used, the previous one stays: {}", what);
            complaint = Optional.of(what);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
