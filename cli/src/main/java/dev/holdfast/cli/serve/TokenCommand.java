package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.TokenJson;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "token",
        header = "Create, list and revoke API tokens of a server.",
        footer = {"holdfast token create ci --role deploy=state --expires 90d", "holdfast token ls"},
        subcommands = {TokenCreateCommand.class, TokenCommand.Ls.class, TokenCommand.Revoke.class})
public final class TokenCommand extends CommandFamily {
    @Command(
            name = "ls",
            header = "List the API tokens of a server.",
            description =
                    "Those made by 'holdfast token create', and those in the server's configuration. Needs the role admin"
                            + " in all namespaces.",
            footer = "holdfast token ls")
    static final class Ls extends TargetCommand {
        @Override
        protected int run() throws InterruptedException {
            List<TokenJson> tokens = ServerTokens.of(target).all();
            output.showAll(
                    tokens,
                    (json, token) -> token.write().writeTo(json),
                    token -> Screen.clean(token.id()),
                    "There are no API tokens. Make one: holdfast token create NAME --role NAMESPACE=ROLE",
                    () -> output.print(table(), tokens));
            return ExitCodes.OK;
        }

        private static Table<TokenJson> table() {
            return new Table<TokenJson>()
                    .column("ID", TokenJson::id)
                    .flexible("ROLES", token -> roles(token.roles()))
                    .column("GROUP", token -> token.group().orElse("-"))
                    .column("MADE BY", token -> token.createdBy().orElse("(configuration)"))
                    .column(
                            "CREATED",
                            token -> token.createdAt().map(Rfc3339::text).orElse("-"))
                    .column("EXPIRES", Ls::end);
        }

        private static String end(TokenJson token) {
            String end = token.expiresAt().map(Rfc3339::text).orElse("never");
            return token.expired() ? "expired " + end : end;
        }

        private static String roles(Map<String, List<String>> roles) {
            return roles.isEmpty()
                    ? "-"
                    : roles.entrySet().stream()
                            .map(scope -> scope.getKey() + "=" + String.join(",", scope.getValue()))
                            .collect(Collectors.joining(" "));
        }
    }

    @Command(
            name = "revoke",
            header = "Revoke an API token of a server.",
            description = {
                "It must have been made by 'holdfast token create'. Within 2 s no server on the same store accepts it,"
                        + " and the streams and waits it opened end. Locks taken with it stay until their lease ends.",
                "A token in the configuration is revoked by removing its entry from the file. Needs the role admin in"
                        + " all namespaces."
            },
            footer = "holdfast token revoke ci")
    static final class Revoke extends TargetCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "Which token; see: holdfast token ls.")
        private String id = "";

        @Override
        protected int run() throws InterruptedException {
            ServerTokens.of(target).revoke(id);
            if (output.isTable()) {
                output.println("Token '" + Screen.clean(id) + "' is revoked");
            }
            return ExitCodes.OK;
        }
    }
}
