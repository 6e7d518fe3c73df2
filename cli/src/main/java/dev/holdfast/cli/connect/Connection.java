package dev.holdfast.cli.connect;

import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.client.ClientIdentity;
import dev.holdfast.client.ServerConfig;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a command connects with, and where each setting came from: a flag, else the environment, else the context, else nothing.
 *
 * <p>A place and what is shown to it belong together, so that the token of one server is not sent to another. This is the whole rule:
 *
 * <ol>
 *   <li>The place is that of {@code --server} or {@code --store}; else of {@code --context}; else of {@code HOLDFAST_SERVER} or
 *       {@code HOLDFAST_STORE}; else of {@code HOLDFAST_CONTEXT}; else of the context in use. {@code --context} together with
 *       {@code --server} or {@code --store} is refused.
 *   <li>A context that is not the place is left out as a whole.
 *   <li>The environment is about the place it names. If a flag names another one, the token, the certificates and the authority
 *       ({@code ca-file}) of the environment are left out; where that flag is {@code --context}, its namespace too. They count if the
 *       environment names the same place, by the same URL, or names none: that is a CI job with {@code HOLDFAST_TOKEN} and
 *       {@code --server}. One of several servers of the environment is the same place.
 *   <li>A context with a token or a certificate of its own is not given those of the environment.
 * </ol>
 *
 * <p>Commands that are started from this one get its place and what is shown to it together, so the rule holds for them too.
 *
 * @param settings those that are set, by name as in a context; {@code token} besides, from the environment only
 * @param context the one that is in use, with where that came from
 * @param leftOut variables of the environment that are set and do not count here, apart from those that name a place
 * @param contextFile that the environment names
 */
public record Connection(
        Map<String, Setting> settings, Optional<Setting> context, List<String> leftOut, Optional<Path> contextFile) {
    static final String TOKEN = "token";
    private static final String CONTEXT_VARIABLE = "HOLDFAST_CONTEXT";

    /** What a server is shown, so that it knows who asks. */
    private static final Set<String> IDENTITY =
            Set.of(TOKEN, Context.TOKEN_FILE, Context.CLIENT_CERT, Context.CLIENT_KEY);

    /** A value, and where it came from, for people. */
    public record Setting(String value, String origin) {}

    /** Decides; {@code flags} are those that were given, by name without dashes, such as {@code server} and {@code context}. */
    public static Connection of(Map<String, String> flags, Map<String, String> environment) {
        Optional<String> place =
                Optional.ofNullable(flags.get(Context.SERVER)).or(() -> Optional.ofNullable(flags.get(Context.STORE)));
        Optional<String> wanted = Optional.ofNullable(flags.get("context"));
        if (place.isPresent() && wanted.isPresent()) {
            throw Contexts.wrong("--context " + wanted.get() + " is a place, and --"
                    + (flags.containsKey(Context.SERVER) ? Context.SERVER : Context.STORE)
                    + " names another. Leave one of them out");
        }
        if (wanted.filter(String::isBlank).isPresent()) {
            throw Contexts.wrong("--context needs the name of a context; list them: holdfast context ls");
        }
        Map<String, Setting> settings = new LinkedHashMap<>();
        Optional<Setting> used = Optional.empty();
        if (place.isEmpty()
                && (wanted.isPresent() || places(environment).findAny().isEmpty())) {
            used = context(wanted, environment, settings);
        }
        Set<String> unused = unused(place, wanted, environment, settings);
        List<String> leftOut = fromEnvironment(environment, unused, settings);
        for (String key : Context.KEYS) {
            if (flags.containsKey(key)) {
                settings.put(key, new Setting(flags.get(key), "--" + key));
            }
        }
        if (flags.containsKey(Context.TOKEN_FILE)) {
            settings.remove(TOKEN);
        }
        return new Connection(
                settings,
                used,
                leftOut,
                Contexts.set(environment, Contexts.VARIABLE)
                        .map(file -> Path.of(file).toAbsolutePath()));
    }

    private static Optional<Setting> context(
            Optional<String> wanted, Map<String, String> environment, Map<String, Setting> settings) {
        Optional<String> variable = Contexts.set(environment, CONTEXT_VARIABLE);
        Contexts contexts = Contexts.read(environment);
        Optional<String> name = wanted.or(() -> variable).or(contexts::current);
        String origin = wanted.isPresent()
                ? "--context"
                : variable.isPresent() ? CONTEXT_VARIABLE : "current-context in " + contexts.file();
        name.map(it -> contexts.get(it, Optional.of(origin)))
                .ifPresent(context -> context.settings()
                        .forEach((key, value) -> settings.put(
                                key,
                                new Setting(
                                        value,
                                        "context " + context.name() + ", " + contexts.file() + ":"
                                                + context.lines().getOrDefault(key, 1)))));
        return name.map(it -> new Setting(it, origin));
    }

    /** The settings of the environment that do not count; in {@code settings} are those of the context so far. */
    private static Set<String> unused(
            Optional<String> place,
            Optional<String> wanted,
            Map<String, String> environment,
            Map<String, Setting> settings) {
        Set<String> unused = new HashSet<>();
        if (place.isPresent() || wanted.isPresent()) {
            unused.add(Context.SERVER);
            unused.add(Context.STORE);
            Optional<String> there = place.or(() -> url(settings));
            if (isElsewhere(there.orElse(""), wanted, environment)) {
                unused.addAll(IDENTITY);
                unused.add(Context.CA_FILE);
                wanted.ifPresent(name -> unused.add(Context.NAMESPACE));
            }
        }
        if (settings.keySet().stream().anyMatch(IDENTITY::contains)) {
            unused.addAll(IDENTITY);
        }
        return unused;
    }

    /** Whether the environment names a place, and not this one that a flag names. */
    private static boolean isElsewhere(String there, Optional<String> wanted, Map<String, String> environment) {
        List<String> places = places(environment).toList();
        if (places.isEmpty()) {
            Optional<String> name = Contexts.set(environment, CONTEXT_VARIABLE);
            return name.isPresent() && !name.equals(wanted);
        }
        return places.stream().noneMatch(place -> servers(place).containsAll(servers(there)));
    }

    private static Stream<String> places(Map<String, String> environment) {
        return Stream.of(Context.SERVER, Context.STORE)
                .flatMap(key -> Contexts.set(environment, variable(key)).stream());
    }

    private static Optional<String> url(Map<String, Setting> settings) {
        return Stream.of(Context.SERVER, Context.STORE)
                .flatMap(key -> Stream.ofNullable(settings.get(key)))
                .map(Setting::value)
                .findFirst();
    }

    /** Each of several that stand in for each other. */
    private static Set<String> servers(String urls) {
        return Stream.of(urls.split(",", -1))
                .map(url -> url.strip().replaceFirst("/+$", ""))
                .collect(Collectors.toSet());
    }

    /** Adds what counts, and gives what is set there and does not, apart from the place. */
    private static List<String> fromEnvironment(
            Map<String, String> environment, Set<String> unused, Map<String, Setting> settings) {
        for (String key : Context.KEYS) {
            if (!unused.contains(key)) {
                Contexts.set(environment, variable(key))
                        .ifPresent(value -> settings.put(key, new Setting(value, variable(key))));
            }
        }
        if (!unused.contains(TOKEN) && !settings.containsKey(Context.TOKEN_FILE)) {
            Contexts.set(environment, variable(TOKEN))
                    .ifPresent(value -> settings.put(TOKEN, new Setting(value, variable(TOKEN))));
        }
        return Stream.concat(Stream.of(TOKEN), Context.KEYS.stream())
                .filter(key -> !key.equals(Context.SERVER) && !key.equals(Context.STORE))
                .filter(unused::contains)
                .map(Connection::variable)
                .filter(variable -> Contexts.set(environment, variable).isPresent())
                .toList();
    }

    /** {@code HOLDFAST_TOKEN_FILE} for {@code token-file}. */
    static String variable(String key) {
        return "HOLDFAST_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    public Optional<Setting> get(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    public Optional<String> value(String key) {
        return get(key).map(Setting::value);
    }

    public Optional<Setting> store() {
        return get(Context.STORE);
    }

    /** The file that this setting names, which can be read. */
    Optional<Path> file(String key) {
        Optional<Setting> setting = get(key);
        setting.flatMap(it -> FileProblem.of(Path.of(it.value()), it.origin())).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return setting.map(it -> Path.of(it.value()));
    }

    Optional<ClientIdentity> identity() {
        return ClientIdentity.of(
                file(Context.CLIENT_CERT),
                file(Context.CLIENT_KEY),
                "--client-cert and --client-key (HOLDFAST_CLIENT_CERT, HOLDFAST_CLIENT_KEY)");
    }

    /** Adds whom to trust, and the certificate to show. */
    public ServerConfig secured(ServerConfig servers) {
        ServerConfig trusting = file(Context.CA_FILE).map(servers::withCaFile).orElse(servers);
        return identity().map(trusting::withIdentity).orElse(trusting);
    }

    /**
     * The variables with which commands that are started from this one find the same place, with the same right to it; an empty one is
     * to be removed. A context stays a context, unless a flag shows it something else.
     */
    public Map<String, Optional<String>> variables() {
        Map<String, Optional<String>> variables = new LinkedHashMap<>();
        leftOut.stream()
                .filter(variable -> !variable.equals(variable(Context.NAMESPACE))) // that of the lock is told to all
                .forEach(variable -> variables.put(variable, Optional.empty()));
        contextFile.ifPresent(file -> variables.put(Contexts.VARIABLE, Optional.of(file.toString())));
        boolean flagged = Context.FILES.stream()
                .anyMatch(key ->
                        get(key).filter(it -> it.origin().equals("--" + key)).isPresent());
        Optional<String> name = flagged ? Optional.empty() : context.map(Setting::value);
        variables.put(CONTEXT_VARIABLE, name);
        variables.put(variable(Context.STORE), name.isPresent() ? Optional.empty() : value(Context.STORE));
        boolean server = name.isEmpty() && store().isEmpty();
        variables.put(
                variable(Context.SERVER),
                server ? Optional.of(value(Context.SERVER).orElse(Target.DEFAULT_SERVER)) : Optional.empty());
        if (name.isEmpty()) {
            Context.FILES.forEach(key -> value(key)
                    .ifPresent(file -> variables.put(
                            variable(key),
                            Optional.of(Path.of(file).toAbsolutePath().toString()))));
        }
        return variables;
    }
}
