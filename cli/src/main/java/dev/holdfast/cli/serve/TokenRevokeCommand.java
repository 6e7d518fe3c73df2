package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.TargetCommand;
import dev.holdfast.cli.text.Codes;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast token revoke}: nobody comes in with it any more. */
@Command(
        name = "revoke",
        description = {
            "Revokes an API token that was made by 'token create' on a server. Within 2 s no server on the same store",
            "accepts it, and the streams and waits it opened end. Locks taken with it stay until their lease ends.",
            "One of the configuration is revoked by removing its entry from the file. Needs the role admin in all namespaces."
        },
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE, Codes.REFUSED, Codes.UNREACHABLE})
final class TokenRevokeCommand extends TargetCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Which; see: holdfast token ls.")
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
