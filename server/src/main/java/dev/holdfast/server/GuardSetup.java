package dev.holdfast.server;

import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.probe.AddressPolicy;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.GuardSettings;
import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.guard.GuardOptions;
import java.time.Duration;

/** Makes the guard of a server of the settings somebody gave. */
public final class GuardSetup {
    private GuardSetup() {}

    public static GuardOptions of(Settings settings) {
        return new GuardOptions(
                settings.get(GuardSettings.ENABLED),
                settings.get(GuardSettings.STORE),
                config(settings),
                probes(settings),
                settings.get(GuardSettings.ACTUATORS),
                settings.get(GuardSettings.ACTUATOR),
                settings.get(GuardSettings.ANSWER_WITHIN));
    }

    private static GuardConfig config(Settings settings) {
        return GuardConfig.DEFAULT
                .withSharedDbLockEnabled(settings.get(SeedSettings.SHARED_DB_LOCK_ENABLED))
                .withLockTtl(Duration.ofSeconds(settings.get(SeedSettings.LOCK_TTL_SECONDS)))
                .withLockMaxRetries(settings.get(SeedSettings.LOCK_MAX_RETRIES))
                .withLockBackoff(settings.get(GuardSettings.LOCK_BACKOFF))
                .withQuickStatusTimeout(Duration.ofSeconds(settings.get(SeedSettings.QUICK_STATUS_TIMEOUT)))
                .withDownConfirmations(settings.get(GuardSettings.DOWN_CONFIRMATIONS))
                .withConfirmationPause(settings.get(GuardSettings.CONFIRMATION_PAUSE))
                .withDownAfter(settings.get(GuardSettings.DOWN_AFTER))
                .withInterval(settings.get(GuardSettings.INTERVAL))
                .withStartingTimeout(settings.get(GuardSettings.STARTING_TIMEOUT))
                .withActTimeout(settings.get(GuardSettings.ACT_TIMEOUT))
                .withRestartIfNeeded(settings.get(GuardSettings.RESTART_IF_NEEDED))
                .withEmojiLog(settings.get(GuardSettings.LOG_STYLE).equals("emoji"));
    }

    private static GuardOptions.Probes probes(Settings settings) {
        AddressPolicy any = AddressPolicy.standard().allowing(settings.get(GuardSettings.PROBE_ALLOW));
        return new GuardOptions.Probes(
                settings.get(GuardSettings.PROBE_PRIVATE) ? any : any.withoutPrivate(),
                settings.get(GuardSettings.PROBE_CA),
                settings.get(SeedSettings.API_GATEWAY_URL));
    }
}
