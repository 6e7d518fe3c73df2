package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.NewToken;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.TokenJson;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "create",
        header = "Create an API token, and print it once.",
        description = {
            "The token goes to standard output. With --server, HOLDFAST_SERVER or a context with a server, that"
                    + " server makes it: all servers on the same store accept it within 2 s. Needs the role admin in all"
                    + " namespaces.",
            "",
            "Without a server nothing is stored: standard error has the entry for auth.tokens in holdfast.yaml,"
                    + " with only the hash. A running server picks it up when the file changes."
        },
        footer = {
            "holdfast token create ci --role deploy=state --expires 90d",
            "holdfast token create ci --role deploy=state > ci.token"
        },
        exitCodeList = Codes.USUAL)
final class TokenCreateCommand extends PlainCommand {
    private static final int ENTRY_INDENT = 4;

    private static final String FOR_EVER =
            "does not expire; revoke it when it is no longer needed, or use --expires 90d";

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "Its user: shown as the owner of locks, and in the audit log.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--id", paramLabel = "NAME", description = "The same, as an option.")
    private Optional<String> id = Optional.empty();

    @Option(
            names = "--role",
            required = true,
            paramLabel = "NAMESPACE=ROLE[,ROLE]",
            description = {
                "What it may do, and where: '*', a namespace, or in one of them namespace/name or namespace/begin*,",
                "such as 'deploy/shop/*=state'. Roles: read, state-read, lock, state, guard, admin.",
                "Can be repeated."
            })
    private List<String> grants = new ArrayList<>();

    @Option(
            names = "--expires",
            paramLabel = "DUR",
            description = "How long it is valid, such as 90d or 12h (default: until it is revoked).")
    private Optional<Duration> expires = Optional.empty();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "Service account group: its members may renew and release each other's locks.")
    private Optional<String> group = Optional.empty();

    @Option(names = "--entry", description = "Only print the entry for the file, even if a server is named.")
    private boolean entry;

    @Mixin
    private Target target;

    @Override
    public Integer call() throws InterruptedException {
        if (name.isPresent() == id.isPresent()) {
            throw mistake("Name the owner of the token once, such as: holdfast token create ci --role deploy=state");
        }
        if (expires.filter(life -> life.compareTo(Duration.ofSeconds(1)) < 0).isPresent()) {
            throw mistake("--expires must be at least 1s");
        }
        String whose = name.or(() -> id).orElseThrow();
        return target.namesServer() && !entry ? byServer(whose) : forFile(whose);
    }

    private Integer byServer(String whose) throws InterruptedException {
        Map<String, List<String>> spelled = new LinkedHashMap<>();
        roles().forEach((place, granted) -> spelled.put(place, List.copyOf(granted)));
        Json.Obj made = ServerTokens.of(target).create(whose, spelled, expires, group);
        Optional<Instant> end = TokenJson.read(made).expiresAt();
        print(
                List.of(
                        "Token '" + Screen.clean(whose) + "' "
                                + end.map(it -> "expires at " + Rfc3339.text(it))
                                        .orElse(FOR_EVER) + ".",
                        "To see that it works: HOLDFAST_TOKEN=THE-TOKEN " + proof() + " --server "
                                + target.servers().servers().get(0),
                        "The token, shown only now:"),
                TokenJson.secret(made));
        return ExitCodes.OK;
    }

    private Integer forFile(String whose) {
        try {
            Optional<Instant> end = expires.map(life -> Instant.now().plus(life).truncatedTo(ChronoUnit.SECONDS));
            NewToken token = NewToken.create(whose, roles(), end, group);
            String life = end.map(it -> "expires at " + it).orElse("does not expire (--expires 90d would)");
            // All of it is YAML, so that it can be pasted or appended as it is. The token comes last, where it is
            // copied from.
            print(
                    List.of(
                            "# For holdfast.yaml; it " + life + ".",
                            "# If there are tokens already, add only what begins at '- id' to their list.",
                            "auth:",
                            "  tokens:",
                            token.yaml().indent(ENTRY_INDENT).stripTrailing(),
                            "# A running server picks it up within 2 s; one that had no authentication so far needs a"
                                    + " restart.",
                            "# To see that it works: HOLDFAST_TOKEN=THE-TOKEN " + proof(),
                            "# The token, shown only now:"),
                    token.secret());
            return ExitCodes.OK;
        } catch (ConfigProblems e) {
            err().println(e.getMessage());
            return ExitCodes.USAGE;
        }
    }

    /** A command that succeeds with what this token may do. */
    private String proof() {
        Map.Entry<String, Set<String>> first = roles().entrySet().iterator().next();
        String namespace = first.getKey().replaceFirst("/.*", "");
        Set<String> granted = first.getValue();
        if (granted.contains("guard")) {
            return "holdfast guard status";
        }
        if (granted.contains("state") || granted.contains("state-read")) {
            return "holdfast state ls";
        }
        return "holdfast ls" + (namespace.equals("*") ? "" : " -N " + NextSteps.quoted(namespace));
    }

    private void print(List<String> said, String secret) {
        said.forEach(err()::println);
        err().flush();
        out().println(secret);
        out().flush();
    }

    private Map<String, Set<String>> roles() {
        Map<String, Set<String>> roles = new LinkedHashMap<>();
        for (String grant : grants) {
            int equals = grant.indexOf('=');
            if (equals < 1) {
                throw mistake("--role must be NAMESPACE=ROLE[,ROLE], such as 'deploy=read,lock', was '" + grant + "'");
            }
            roles.computeIfAbsent(grant.substring(0, equals), namespace -> new LinkedHashSet<>())
                    .addAll(List.of(grant.substring(equals + 1).split(",", -1)));
        }
        return roles;
    }
}
