package dev.holdfast.guard.actuator;

import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One actuator's settings as they are read: every problem is noted and reading goes on, so that all are reported at once. A
 * secret comes from a file, named by the same setting with {@code _file}; its text is in no message.
 */
public final class ActuatorSettings {
    /** A secret or a bundle of certificates is smaller. */
    private static final long MOST_READ = 1024 * 1024;

    private final String actuator;
    private final Map<String, String> given;
    private final List<String> problems;
    private final Set<String> known = new LinkedHashSet<>();

    ActuatorSettings(String actuator, Map<String, String> given, List<String> problems) {
        this.actuator = actuator;
        this.given = given;
        this.problems = problems;
        known.add("type");
    }

    /** A setting that must be there; empty text, with the problem noted, if it is not. */
    public String required(String key, String what) {
        String value = optional(key).orElse("");
        if (value.isEmpty()) {
            problem(key, "is missing: " + what);
        }
        return value;
    }

    public Optional<String> optional(String key) {
        known.add(key);
        return Optional.ofNullable(given.get(key)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** The file that {@code key_file} names, if it does; noted if it cannot be read. */
    public Optional<Path> file(String key) {
        Optional<Path> file = optional(key + "_file").map(Path::of);
        file.filter(path -> !Files.isReadable(path))
                .ifPresent(path -> problem(key + "_file", "cannot be read: '" + path + "'"));
        return file.filter(Files::isReadable);
    }

    /** The text of the file that {@code key_file} names, without blanks around it. */
    public Optional<String> secret(String key) {
        if (given.containsKey(key)) {
            problem(key, "is a secret: put it into a file and name that with " + key + "_file");
            known.add(key);
        }
        return file(key).flatMap(path -> {
            try {
                return Optional.of(read(path));
            } catch (IOException e) {
                problem(key + "_file", "cannot be read: " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    public static String read(Path path) throws IOException {
        if (Files.size(path) > MOST_READ) {
            throw new IOException("'" + path + "' is longer than " + MOST_READ + " bytes");
        }
        return Files.readString(path).strip();
    }

    public URI url(String key, String text) {
        try {
            URI url = URI.create(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
                problem(key, "must be a URL like https://host/path, was '" + text + "'");
            } else if (url.getRawUserInfo() != null) {
                problem(key, "must not carry a user name or password");
            } else {
                return url;
            }
        } catch (IllegalArgumentException e) {
            problem(key, "must be a URL like https://host/path, was '" + text + "'");
        }
        return URI.create("http://invalid/");
    }

    /** A length of time such as {@code 500ms}, {@code 10s}, {@code 2m} or {@code PT10S}. */
    public Duration duration(String key, Duration standard, Duration least, Duration most) {
        Optional<String> text = optional(key);
        if (text.isEmpty()) {
            return standard;
        }
        try {
            Duration duration = duration(text.get());
            if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
            // Told below, in the same words as one out of range.
        }
        problem(
                key,
                "must be a time between " + least.toMillis() + "ms and " + most.toSeconds() + "s, was '" + text.get()
                        + "'");
        return standard;
    }

    private static Duration duration(String text) {
        if (text.matches("[0-9]+ms")) {
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        }
        return Duration.parse(text.matches("[0-9.]+[smhSMH]") ? "PT" + text : text);
    }

    /** Words between such separators, or a JSON list of texts; none, with the problem noted, if it is a list of something else. */
    public List<String> words(String key, String text, String separators, String what) {
        if (!text.startsWith("[")) {
            return List.of(text.split(separators));
        }
        try {
            List<Json> items = Json.parse(text.getBytes(StandardCharsets.UTF_8)).items();
            List<String> words =
                    items.stream().flatMap(item -> item.text().stream()).toList();
            if (words.size() == items.size()) {
                return words;
            }
        } catch (InvalidJsonException e) {
            // Told below, in the same words as a list of something else.
        }
        problem(key, "must be " + what);
        return List.of();
    }

    /** Whole settings below a prefix, such as {@code env.NAME}. */
    public Map<String, String> below(String prefix) {
        Map<String, String> found = new TreeMap<>();
        given.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                known.add(key);
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    public void problem(String key, String what) {
        String problem = "guard.actuators." + actuator + "." + key + " " + what;
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** Notes every setting nobody asked for. */
    void nothingElse() {
        List<String> others = new ArrayList<>(given.keySet());
        others.removeAll(known);
        others.stream()
                .sorted()
                .forEach(key -> problem(key, "is not a known setting; known settings are " + String.join(", ", known)));
    }
}
