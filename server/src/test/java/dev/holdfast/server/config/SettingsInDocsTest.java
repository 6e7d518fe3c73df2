package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.SettingsCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages and samples say about settings outside their table, which {@link DocumentTest} compares. */
@DisplayName("settings in pages and samples")
class SettingsInDocsTest {
    private static final Path ROOT = Path.of("..");
    private static final List<Path> SAMPLES =
            List.of(ROOT.resolve("examples/deploy/holdfast.yaml"), ROOT.resolve("dist/src/main/package/holdfast.yaml"));

    private static final Pattern NAME = Pattern.compile("`([a-z]+(?:[.-][a-z]+)*\\.[a-z][a-z.-]*[a-z])[`=:]");
    private static final Pattern WITH_DEFAULT =
            Pattern.compile("`([a-z]+(?:\\.[a-z-]+)+)`(?: \\(|, )(\\d+) ?(ms|s|m|h|d|days|KB|MB)\\b");

    /** Written like settings: events, files, packages, aliases that their setting tells of, settings of Spring. */
    private static final Set<String> OTHERS = Set.of(
            "auth.refused",
            "auth.tokens-file",
            "guard.decision",
            "guard.registered",
            "guard.start",
            "guard.stop",
            "guard.wire",
            "locks.db.lock",
            "locks.db.owner",
            "server.audit.required",
            "server.shutdown",
            "spring.lifecycle.timeout-per-shutdown-phase",
            "spring.task.scheduling.shutdown.await-termination",
            "spring.task.scheduling.shutdown.await-termination-period",
            "state.deleted",
            "state.json",
            "state.read",
            "state.refused",
            "state.restored",
            "state.saved",
            "state.terraform",
            "state.wire",
            "store.restored");

    @Test
    @DisplayName("that a page names exist")
    void exist() {
        Set<String> known = Settings.declared().stream().map(Setting::name).collect(Collectors.toSet());
        Set<String> families = known.stream()
                .map(name -> name.replaceFirst("\\..*", ""))
                .filter(family -> !family.equals("holdfast"))
                .collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            NAME.matcher(text(page)).results().map(found -> found.group(1)).forEach(name -> {
                if (families.contains(name.replaceFirst("\\..*", ""))
                        && !known.contains(name)
                        && !OTHERS.contains(name)) {
                    unknown.add(name + " in " + page);
                }
            });
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("have the default that a page tells beside their name")
    void defaults() {
        Map<String, String> defaults =
                Settings.declared().stream().collect(Collectors.toMap(Setting::name, setting -> setting.defaultText()));
        List<String> wrong = new ArrayList<>();
        List<String> compared = new ArrayList<>();
        for (Path page : pages()) {
            WITH_DEFAULT.matcher(text(page)).results().forEach(found -> {
                String told = found.group(2) + found.group(3).replace("days", "d");
                String real = defaults.get(found.group(1));
                if (real != null) {
                    compared.add(found.group());
                    if (!real.equals(told)) {
                        wrong.add(found.group() + " in " + page + ", but it is " + real);
                    }
                }
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).hasSizeGreaterThan(6);
    }

    @Test
    @DisplayName("of a sample are accepted, and each of them does something")
    void samples(@TempDir Path elsewhere) throws IOException {
        Set<String> dead = dead();
        assertThat(dead).containsExactly("locks.default-lease");
        for (Path sample : SAMPLES) {
            Settings settings = Settings.load(
                    List.of("--config=" + sample.toAbsolutePath().normalize()),
                    Map.of("HOLDFAST_STORE", "postgresql://holdfast@db/locks"),
                    elsewhere);
            assertThat(settings.notes()).isEmpty();
            assertThat(Settings.declared())
                    .filteredOn(setting -> settings.origin(setting).level() == Origin.Level.FILE)
                    .isNotEmpty()
                    .allSatisfy(setting -> assertThat(dead).doesNotContain(setting.name()));
        }
    }

    /** Settings whose value nobody asks for, outside of the checks of the configuration itself. */
    private static Set<String> dead() throws IOException {
        Set<String> used = new HashSet<>();
        Pattern constant = Pattern.compile("\\b([A-Z]\\w+Settings)\\s*\\.\\s*([A-Z][A-Z0-9_]+)\\b");
        for (String module : List.of("server", "cli")) {
            try (Stream<Path> sources = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
                sources.filter(file -> file.toString().endsWith(".java")
                                && !file.endsWith("CrossChecks.java")
                                && !file.toString().contains("/config/settings/"))
                        .forEach(file -> constant.matcher(text(file))
                                .results()
                                .forEach(found -> used.add(found.group(1) + "." + found.group(2))));
            }
        }
        Set<String> dead = new TreeSet<>();
        String place = SettingsCatalog.class.getPackageName();
        try (Stream<Path> classes = Files.list(ROOT.resolve("server/src/main/java/" + place.replace('.', '/')))) {
            for (Path file : classes.filter(one -> one.toString().endsWith("Settings.java"))
                    .toList()) {
                String type = file.getFileName().toString().replace(".java", "");
                for (Field field : Class.forName(place + "." + type).getFields()) {
                    if (field.get(null) instanceof Setting<?> setting && !used.contains(type + "." + field.getName())) {
                        dead.add(setting.name());
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("settings of " + place, e);
        }
        return dead;
    }

    @Test
    @DisplayName("the unit of systemd keeps what it writes from others, and can be enabled")
    void unit() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("dist/src/main/package/holdfast.service")))
                .contains(
                        "UMask=0077",
                        "StateDirectory=holdfast",
                        "StateDirectoryMode=0700",
                        "NoNewPrivileges=yes",
                        "ProtectSystem=strict",
                        "ProtectHome=yes",
                        "PrivateTmp=yes",
                        "CapabilityBoundingSet=",
                        "[Install]",
                        "WantedBy=multi-user.target",
                        "Restart=on-failure");
    }

    @Test
    @DisplayName("a server without memory ends, however it is started")
    void memory() {
        for (String launcher : List.of("holdfast", "dist/src/main/package/bin/holdfast", "Dockerfile")) {
            assertThat(text(ROOT.resolve(launcher))).as(launcher).contains("-XX:+ExitOnOutOfMemoryError");
        }
    }

    private static List<Path> pages() {
        try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            all.filter(file ->
                                    file.toString().toLowerCase(Locale.ROOT).endsWith(".md")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
