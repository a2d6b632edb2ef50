/** The parts of the web pages, from the session of a command that serves them. */
import type { PagesParts } from "#pages/mod.ts";
import { maskSecrets, uploadFolders } from "#foundation/configuration/mod.ts";
import type { Session } from "../../request.ts";
import type { ServedLibrary } from "./served_library.ts";

/** Returns the parts for clients without limits of their own. The limits of the whole server hold for them too. */
export async function pagesPartsOf(session: Session, library: ServedLibrary): Promise<PagesParts> {
  const { config, language, version, log, signal, io, flags, roots } = session;
  const { isLimited } = library;
  const answering = config.llm.provider === "none"
    ? undefined
    : (await import("./answering.ts")).answeringOf(session);
  return {
    library,
    config: maskSecrets(config),
    language,
    version,
    log,
    signal,
    upkeep: flags.noWatch || isLimited ? undefined : library,
    answering,
    work: isLimited ? undefined : {
      config,
      roots,
      indexDirs: session.indexDirs,
      indexKey: session.indexKey,
      ownPlaces: session.ownPlaces,
      stateDir: session.stateDir,
      modelsDir: session.modelsDir,
      extractor: session.extractor,
      models: session.models,
      uploads: flags.noWatch ? [] : uploadFolders(config, roots, session.by),
      traces: session.traces,
      rerankRefusal: async (root) =>
        config.rerank.provider === "llm"
          ? (await import("../../consent.ts")).rerankRefusal(config, session, [root])
          : undefined,
      doctor: async (language, asked) => {
        const { doctorWords } = await import("../doctor.ts");
        const signals = AbortSignal.any([signal, asked]);
        return await doctorWords({ ...session, language, config: { ...config, language }, signal: signals });
      },
      reveal: io.show && ((file) => io.show?.({ file })),
    },
  };
}
