package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.SettingsCatalog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of all settings, each checked, and where each came from. Cannot be changed; any thread may read it. Its
 * {@code toString} and {@link #lines} have no secrets; {@link #get} has.
 */
public final class Settings {
    private final Map<Setting<?>, SettingsResolver.Entry> entries;
    private final List<String> notes;

    private Settings(Map<Setting<?>, SettingsResolver.Entry> entries, List<String> notes) {
        this.entries = entries;
        this.notes = notes;
    }

    /**
     * Reads flags, environment and file, in this order of strength.
     *
     * @param flags {@code --key=value}, {@code --key value}, or {@code --key} for what is true or false; {@code
     *     --config=FILE}, {@code --port}, {@code --host}, {@code --data} and {@code --demo} are short for longer names
     * @param environment usually {@link System#getenv()}
     * @param workingDirectory where {@code holdfast.yaml} is looked for, and where relative files begin that are read now
     * @throws ConfigProblems if anything is wrong, with all of it
     */
    public static Settings load(List<String> flags, Map<String, String> environment, Path workingDirectory) {
        Problems problems = new Problems();
        Layer given = new Layer(workingDirectory, problems);
        Layer surrounding = new Layer(workingDirectory, problems);
        Layer written = new Layer(workingDirectory, problems);
        Optional<String> byFlag = Flags.read(List.copyOf(flags), given, problems);
        Optional<String> byVariable = Environment.read(environment, surrounding, problems);
        ConfigFile.read(byFlag.or(() -> byVariable), workingDirectory, written, problems);

        SettingsResolver resolver = new SettingsResolver(List.of(given, surrounding, written), problems);
        new StoreChoice(resolver, problems).make();
        nameNode(resolver);
        new CrossChecks(resolver, workingDirectory, problems).make();
        problems.throwIfAny();
        return new Settings(resolver.entries(), problems.notes());
    }

    /** What this replica is called if nobody says: {@code HOSTNAME}, which containers set, or the machine's name. */
    private static void nameNode(SettingsResolver resolver) {
        if (!resolver.isGiven(ServerSettings.NODE)) {
            Optional<String> host = resolver.optional(SeedSettings.HOSTNAME);
            String name = host.orElseGet(Settings::machine);
            resolver.put(
                    ServerSettings.NODE,
                    name,
                    name,
                    host.isPresent() ? resolver.originOf(SeedSettings.HOSTNAME) : Origin.DEFAULT);
        }
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine without a name: a label is all that suffers
        }
    }

    public static List<Setting<?>> declared() {
        return SettingsCatalog.ALL;
    }

    public <T> T get(Setting<T> setting) {
        return entry(setting).valueOf(setting);
    }

    public Origin origin(Setting<?> setting) {
        return entry(setting).origin();
    }

    public List<Line> lines() {
        return SettingsCatalog.ALL.stream()
                .map(setting -> new Line(setting, entry(setting).shown(), origin(setting), isChanged(setting)))
                .toList();
    }

    /** Whether somebody gave another value than the default. One that is computed counts as another only if it was given. */
    private boolean isChanged(Setting<?> setting) {
        Optional<?> fallback = setting.fallback();
        return origin(setting).level() != Origin.Level.DEFAULT
                && (fallback.isEmpty() || !fallback.get().equals(entry(setting).value()));
    }

    /** What is worth saying at the start, although nothing is wrong. */
    public List<String> notes() {
        return notes;
    }

    /** Whether anything says who may do what: tokens, JWT, or that everybody may. If not, only loopback is served. */
    public boolean authConfigured() {
        return CrossChecks.isAuthConfigured(
                get(AuthSettings.DISABLED),
                get(AuthSettings.JWT_ISSUER).isPresent()
                        || get(AuthSettings.JWT_JWKS).isPresent(),
                get(AuthSettings.TOKENS),
                get(AuthSettings.CERTIFICATES));
    }

    /** The names of the settings that have another value there, in the order of the document. Says nothing of the values. */
    public List<String> changedIn(Settings other) {
        return SettingsCatalog.ALL.stream()
                .filter(setting -> !isSame(entry(setting), other.entry(setting), setting.isSecret()))
                .map(Setting::name)
                .toList();
    }

    /** What some values are made of cannot be compared, but what is shown of them can; except where that hides a secret. */
    private static boolean isSame(SettingsResolver.Entry one, SettingsResolver.Entry other, boolean secret) {
        return one.value().equals(other.value())
                || (!secret && !one.shown().contains("***") && one.shown().equals(other.shown()));
    }

    private SettingsResolver.Entry entry(Setting<?> setting) {
        SettingsResolver.Entry entry = entries.get(setting);
        if (entry == null) {
            throw new IllegalArgumentException(setting + " is not among the declared settings");
        }
        return entry;
    }

    @Override
    public String toString() {
        return lines().toString();
    }

    /**
     * One setting for people.
     *
     * @param value without secrets
     * @param changed whether it has another value than its default
     */
    public record Line(Setting<?> setting, String value, Origin origin, boolean changed) {
        public String key() {
            return setting.name();
        }
    }
}
