package dev.holdfast.server.config.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All settings there are, found by any spelling of their names. */
public final class SettingsCatalog {
    private static final List<Class<?>> GROUPS = List.of(
            ServerSettings.class,
            LimitSettings.class,
            StoreSettings.class,
            LockSettings.class,
            AuthSettings.class,
            ObserveSettings.class,
            StateSettings.class,
            GuardSettings.class,
            NotifySettings.class,
            SeedSettings.class);

    private static final Pattern FILE_SUFFIX = Pattern.compile("(.+?)(?:[._-](?i:file)|File)");

    /** In the order in which they are declared. */
    public static final List<Setting<?>> ALL = declared();

    private static final Map<String, Setting<?>> BY_NAME = byName();

    private SettingsCatalog() {}

    /** The setting a key means, or whose content is in a file that the key names. */
    public static Optional<Match> find(String key) {
        Setting<?> direct = BY_NAME.get(letters(key));
        if (direct != null) {
            return Optional.of(new Match(direct, false));
        }
        Matcher file = FILE_SUFFIX.matcher(key);
        return file.matches()
                ? Optional.ofNullable(BY_NAME.get(letters(file.group(1)))).map(named -> new Match(named, true))
                : Optional.empty();
    }

    /** Whether a key is the beginning of names, as {@code server} is. */
    public static boolean isSection(String key) {
        String section = letters(key);
        return BY_NAME.keySet().stream().anyMatch(name -> name.startsWith(section));
    }

    /**
     * A name as it is compared: {@code locker.dynamodb.tableName}, {@code LOCKER_DYNAMODB_TABLE_NAME} and {@code
     * locker.dynamodb.table-name} are one.
     */
    static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }

    private static List<Setting<?>> declared() {
        return GROUPS.stream()
                .flatMap(group -> Stream.of(group.getFields()))
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == Setting.class)
                .<Setting<?>>map(SettingsCatalog::constant)
                .toList();
    }

    private static Setting<?> constant(Field field) {
        try {
            return (Setting<?>) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " must be public", e);
        }
    }

    private static Map<String, Setting<?>> byName() {
        Map<String, Setting<?>> names = new LinkedHashMap<>();
        for (Setting<?> setting : ALL) {
            List<String> all = new ArrayList<>(setting.otherNames());
            all.add(setting.name());
            for (String name : all) {
                Setting<?> other = names.putIfAbsent(letters(name), setting);
                if (other != null) {
                    throw new IllegalStateException("'" + name + "' would name both " + setting + " and " + other);
                }
            }
        }
        return names;
    }

    /**
     * What a key means.
     *
     * @param inFile the value is the path of a file, and the setting's value is in it
     */
    public record Match(Setting<?> setting, boolean inFile) {}
}
