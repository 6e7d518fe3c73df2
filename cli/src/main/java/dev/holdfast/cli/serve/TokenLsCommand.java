package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast token ls}: which tokens a server accepts. */
@Command(
        name = "ls",
        description = {
            "Lists the API tokens of a server: those made by 'token create', and those in its configuration.",
            "Needs the role admin in all namespaces."
        })
final class TokenLsCommand extends TargetCommand {
    @Override
    protected int run() throws InterruptedException {
        List<Json> tokens = ServerTokens.of(target).all();
        output.showAll(
                tokens,
                (json, token) -> token.writeTo(json),
                token -> Screen.clean(token.at("id").plain()),
                "There are no API tokens. Make one: holdfast token create NAME --role NAMESPACE=ROLE",
                () -> output.print(table(), tokens));
        return ExitCodes.OK;
    }

    private static Table<Json> table() {
        return new Table<Json>()
                .flexible("ID", token -> token.at("id").plain())
                .flexible("ROLES", token -> roles(token.at("roles")))
                .column("GROUP", token -> token.at("group").plainIfAny().orElse("-"))
                .column("MADE BY", TokenLsCommand::maker)
                .column("CREATED", token -> token.at("created_at").plainIfAny().orElse("-"))
                .column("EXPIRES", TokenLsCommand::end);
    }

    private static String maker(Json token) {
        boolean stored = token.at("source").plain().equals("stored");
        return stored ? token.at("created_by").plain() : "(configuration)";
    }

    private static String end(Json token) {
        String end = token.at("expires_at").plainIfAny().orElse("never");
        return token.at("expired").plain().equals("true") ? "expired " + end : end;
    }

    private static String roles(Json roles) {
        return roles.members().keySet().stream()
                .map(scope -> scope + "="
                        + String.join(
                                ",",
                                roles.at(scope).items().stream()
                                        .map(Json::plain)
                                        .toList()))
                .reduce((one, other) -> one + " " + other)
                .orElse("-");
    }
}
